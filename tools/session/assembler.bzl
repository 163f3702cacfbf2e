"""In .s, not .S: what is preprocessed depends on what it includes alone, so a
change of what .incbin names would go unnoticed. clang has no use for the
preprocessor's flags there."""

ASSEMBLER_COPTS = [
    "-Wa,-I$(BINDIR)",
    "-Wno-unused-command-line-argument",
]
