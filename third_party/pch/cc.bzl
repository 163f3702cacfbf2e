"""cc_library, cc_binary and cc_test that compile quickly: with precompiled headers,
and several sources of a library at once.

For C++ targets compiled with only the flags of the command line; one with
its own `copts` is compiled without.
"""

load(
    "@rules_cc//cc:defs.bzl",
    _cc_binary = "cc_binary",
    _cc_library = "cc_library",
    _cc_test = "cc_test",
)
load(":joined.bzl", "joined_source")

# Few enough that all processors have work, and that a changed source does not take
# long.
_SOURCES_AT_ONCE = 6

_GMOCK = "@com_google_googletest//:gmock_main"

def _precompiled(rule, name, srcs, compiled, runtime = [], deps = [], copts = [], **kwargs):
    """`compiled` is what is compiled of `srcs`, `runtime` what is linked besides `deps`."""
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
    rule(name = name, srcs = compiled, deps = deps + runtime, copts = copts, **kwargs)

def _joined(name, srcs):
    """`srcs`, where each source is several of them."""
    sources = [src for src in srcs if src.endswith(".cc")]
    if len(sources) < 2:
        return srcs
    joined = []
    for begin in range(0, len(sources), _SOURCES_AT_ONCE):
        joined.append("{}_joined_{}".format(name, begin // _SOURCES_AT_ONCE))
        joined_source(
            name = joined[-1],
            srcs = sources[begin:begin + _SOURCES_AT_ONCE],
            visibility = ["//visibility:private"],
        )
    return select({
        "//third_party/pch:on": joined + [src for src in srcs if not src.endswith(".cc")],
        "//conditions:default": srcs,
    })

def cc_library(name, srcs = [], copts = [], **kwargs):
    compiled = srcs if copts else _joined(name, srcs)
    _precompiled(_cc_library, name, srcs, compiled, copts = copts, **kwargs)

# What a program is linked with besides.
_RUNTIME = select({
    "//third_party/coverage:on": ["//third_party/coverage:runtime"],
    "//conditions:default": [],
})

def cc_binary(name, srcs = [], linkshared = False, **kwargs):
    runtime = [] if linkshared else _RUNTIME
    _precompiled(_cc_binary, name, srcs, srcs, runtime, linkshared = linkshared, **kwargs)

def cc_test(name, srcs = [], copts = [], **kwargs):
    compiled = srcs if copts else _joined(name, srcs)
    _precompiled(_cc_test, name, srcs, compiled, _RUNTIME, copts = copts, **kwargs)
