"""cc_library, cc_binary and cc_test with precompiled headers.

For C++ targets compiled with only the flags of the command line; one with
its own `copts` is compiled without.
"""

load(
    "@rules_cc//cc:defs.bzl",
    _cc_binary = "cc_binary",
    _cc_library = "cc_library",
    _cc_test = "cc_test",
)

_GMOCK = "@com_google_googletest//:gmock_main"

def _precompiled(rule, name, srcs = [], deps = [], copts = [], **kwargs):
    sources = [src for src in srcs if src.endswith(".cc")]
    if sources and not copts:
        header = "tests" if _GMOCK in deps else "libraries"
        deps = deps + select({
            "//third_party/pch:on": ["//third_party/pch:" + header],
            "//conditions:default": [],
        })

        # A header rejected because of its flags is an error.
        copts = select({
            "//third_party/pch:on": [
                "-Winvalid-pch",
                "-include",
                "$(BINDIR)/third_party/pch/{}.h".format(header),
            ],
            "//conditions:default": [],
        })
    rule(name = name, srcs = srcs, deps = deps, copts = copts, **kwargs)

def cc_library(name, **kwargs):
    _precompiled(_cc_library, name, **kwargs)

def cc_binary(name, **kwargs):
    _precompiled(_cc_binary, name, **kwargs)

def cc_test(name, **kwargs):
    _precompiled(_cc_test, name, **kwargs)
