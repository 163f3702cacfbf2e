# The bytes of the bundled plugin, as read-only data.
    .section .rodata
    .hidden fsload_bundled_plugin_begin
    .hidden fsload_bundled_plugin_end
    .globl fsload_bundled_plugin_begin
    .globl fsload_bundled_plugin_end
    .balign 16
fsload_bundled_plugin_begin:
    .incbin "testdata/posix_local.so"
fsload_bundled_plugin_end:
    .section .note.GNU-stack, "", @progbits
