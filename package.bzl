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

def _by_binary(sources, tests):
    """Returns the sources of each binary: those with equal tags, but for tests that need
    a process of their own."""
    binaries = {}
    for source in sources:
        own = tests.get(source[:-3], {})
        key = source if own.get("alone") else repr(own.get("tags"))
        binaries[key] = binaries.get(key, []) + [source]
    return binaries.values()

def _tests_of(sources, tests, deps, data):
    """Declares the binary of `sources`. Each X_test stays a label: all tests of its binary."""
    tags = tests.get(sources[0][:-3], {}).get("tags", [])
    name = sources[0][:-3]
    if len(sources) > 1:
        name = "_".join(["tests"] + [tag.replace("-", "_") for tag in tags])
    arguments = {"srcs": [], "deps": [], "data": []}
    for source in sources:
        own = tests.get(source[:-3], {})
        for key, more in own.items():
            if key in arguments:
                arguments[key] = arguments[key] + more
            elif key not in ["alone", "tags"]:
                arguments[key] = more
        if len(sources) > 1:
            native.test_suite(name = source[:-3], tests = [":" + name])
    cc_test(
        name = name,
        srcs = sources + _each_once(arguments.pop("srcs")),
        data = _each_once(data + arguments.pop("data")),
        deps = _each_once(
            deps + arguments.pop("deps") + ["@com_google_googletest//:gmock_main"],
        ),
        tags = tags,
        **arguments
    )

def fsload_package(
        deps = [],
        private = [],
        others = [],
        test_deps = [],
        test_data = [],
        tests = {},
        visibility = None,
        **kwargs):
    """Declares the library of this folder, and its tests.

    Tests with equal tags are one binary, because that halves the time to compile them;
    `--test_filter` selects among them.

    The library has the folder's name, sources and headers; a folder of tests has
    none. Each target depends on what nearly all sources include, so only what is
    left is named.

    Args:
      deps: of the library, and of each test.
      private: headers for the library's sources only.
      others: sources and headers of other targets.
      test_deps: of each test.
      test_data: of each test.
      tests: by the name of a test, what it needs beside the usual: arguments of
        cc_test, and "alone" if it must have a process of its own.
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
    for sources in _by_binary(test_sources, tests):
        _tests_of(sources, tests, usual + deps + test_deps, test_data)
    for test in tests:
        if test + ".cc" not in test_sources:
            fail("there is no {}.cc".format(test))
    native.filegroup(
        name = "test_sources",
        srcs = native.glob(["*_test*.cc"], allow_empty = True),
        visibility = ["//{}:__pkg__".format(layer)],
    )
