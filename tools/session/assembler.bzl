"""Uses .s, not .S: a preprocessed file is rebuilt only when its includes
change, so a change of the file that .incbin names would go unnoticed. clang
does not need the preprocessor's flags there."""

ASSEMBLER_COPTS = [
    "-Wa,-I$(BINDIR)",
    "-Wno-unused-command-line-argument",
]
