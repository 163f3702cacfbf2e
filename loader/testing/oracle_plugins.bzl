"""Plugins that other programs are asked about as well."""

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
