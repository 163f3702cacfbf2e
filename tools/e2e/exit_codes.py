"""The exit codes of fsload (tools/cli/exit_code.h)."""
OK = 0
FAILED = 1
USAGE = 2
MISSING = 4
DENIED = 5
EXISTS = 6
RETRYABLE = 7
UNSUPPORTED = 8
CRASHED = 9
INTERRUPTED = 130
