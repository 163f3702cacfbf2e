# The archive of plugins that break rules, as read-only data.
    .section .rodata
    .hidden fsload_bundled_fixtures_begin
    .hidden fsload_bundled_fixtures_end
    .globl fsload_bundled_fixtures_begin
    .globl fsload_bundled_fixtures_end
    .balign 16
fsload_bundled_fixtures_begin:
    .incbin "tools/self_test/bundled_fixtures.z"
fsload_bundled_fixtures_end:
    .section .note.GNU-stack, "", @progbits
