"""Plugins that are also checked with other programs."""

ORACLE_PLUGINS = [
    "//testdata:c_minimal.so",
    "//testdata:memory.so",
    "//testdata:minimal.so",
    "//testdata:posix.so",
    "//testdata/linking:own_status.so",
    "//testdata/linking:sysv_hash.so",
    "//testdata/linking:versioned.so",
    "//testdata/linking:with_neighbour.so",
]
