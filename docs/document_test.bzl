"""Tests of documents, and examples that the documents show."""

load("//third_party/pch:cc.bzl", "cc_binary")

def document_test(name, files, src = None, data = [], size = "small", **kwargs):
    """A script that is called with the paths of `files`; it may read `data`, too."""
    native.sh_test(
        name = name,
        size = size,
        srcs = [src or name + ".py"],
        args = ["$(rootpaths %s)" % file for file in files],
        data = files + data,
        **kwargs
    )

def example(name, src, test, plugin = "posix", files = [], data = [], copts = []):
    """A program, and a script that is called with its path, that of a plugin and `files`."""
    cc_binary(
        name = name,
        srcs = [src],
        copts = copts,
        deps = ["//:fsload"],
    )
    document_test(
        name = name + "_test",
        src = test,
        data = data,
        files = [":" + name, "//testdata:%s.so" % plugin] + files,
    )
