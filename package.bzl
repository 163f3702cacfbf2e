"""fsload_package: the library of a folder, and its tests."""

load("//third_party/pch:cc.bzl", "cc_library", "cc_test")

# What nearly all sources include.
_ALL = [
    "//compat:filesystem_interface",
    "//compat:tf_status",
    "//core/include",
    "//third_party/fmt",
    "@com_google_absl//:span",
    "@com_google_absl//:status",
    "@com_google_absl//:statusor",
    "@com_google_absl//:strings",
    "@com_google_absl//:time",
]

_BY_LAYER = {
    "core": _ALL,
    "loader": _ALL + ["//loader/include"],
    "tools": _ALL + ["//loader/include"],
}

# Who sees a layer's libraries beside itself. docs/packages_test.py checks which
# packages of a layer use which.
_ABOVE = {
    "core": ["//:__pkg__", "//:may_use_core"],
    "loader": ["//:__pkg__", "//:may_use_loader"],
    "tools": [],
}

_TEST_SUFFIXES = ["*_test.cc", "*_benchmark.cc", "*_fuzzer.cc"]

def _each_once(labels):
    return {label: True for label in labels}.keys()

def fsload_package(
        deps = [],
        private = [],
        others = [],
        test_deps = [],
        tests = {},
        visibility = None,
        **kwargs):
    """Declares the library of this folder, and a test for each X_test.cc.

    The library has the folder's name, sources and headers; a folder of tests has
    none. Each target depends on what nearly all sources include, so only what is
    left is named.

    Args:
      deps: of the library, and of each test.
      private: headers for the library's sources only.
      others: sources and headers of other targets.
      test_deps: of each test.
      tests: by the name of a test, arguments of its cc_test that differ: `deps` and
        `srcs` are added to the usual ones.
      visibility: in place of this layer and those above.
      **kwargs: arguments of the library.
    """
    layer = native.package_name().split("/")[0]
    name = native.package_name().split("/")[-1]
    usual = _BY_LAYER[layer]
    sources = native.glob(["*.cc"], allow_empty = True, exclude = _TEST_SUFFIXES + others)
    headers = native.glob(
        ["*.h", "include/fsload/*.h"],
        allow_empty = True,
        exclude = private + others,
    )
    if sources or headers:
        cc_library(
            name = name,
            srcs = sources + private,
            hdrs = headers,
            visibility = visibility or
                         ["//{}:__subpackages__".format(layer)] + _ABOVE[layer],
            deps = _each_once(usual + deps),
            **kwargs
        )
        deps = [":" + name] + deps
    test_sources = native.glob(["*_test.cc"], allow_empty = True, exclude = others)
    for source in test_sources:
        differing = dict(tests.get(source[:-3], {}))
        cc_test(
            name = source[:-3],
            srcs = [source] + differing.pop("srcs", []),
            deps = _each_once(
                usual + deps + test_deps + differing.pop("deps", []) +
                ["@com_google_googletest//:gmock_main"],
            ),
            **differing
        )
    for test in tests:
        if test + ".cc" not in test_sources:
            fail("there is no {}.cc".format(test))
    native.filegroup(
        name = "test_sources",
        srcs = native.glob(["*_test*.cc"], allow_empty = True),
        visibility = ["//{}:__pkg__".format(layer)],
    )
