"""How the plugins here are built."""

load("@rules_cc//cc:defs.bzl", "cc_binary")

# The namespaces of known plugins' functions: of published ones by scheme, and of
# fsload's own.
KNOWN = {
    "bundled": "fsload::bundled_posix_plugin",
    "gs": "tensorflow::io::gs::tf_gcs_filesystem",
    "s3": "tensorflow::io::s3::tf_s3_filesystem",
}

def filesystem_plugin(name, srcs, deps = [], framework = True, known_as = None, **kwargs):
    """A shared object that exports TF_InitPlugin, and nothing else unless it is known.

    It is linked with a stub of the framework library, like plugins built
    elsewhere.

    Args:
      name: the file's name, with ".so".
      srcs: sources in C++ or C.
      deps: libraries besides those of the interface.
      framework: whether to link the stub; without it, the plugin imports nothing.
      known_as: the key in KNOWN of the plugin that it is taken for.
      **kwargs: more arguments of cc_binary.
    """
    cc_binary(
        name = name,
        srcs = srcs + (["known.cc"] if known_as else []),
        copts = ["-fvisibility=hidden"],
        linkopts = ["-Wl,--version-script=$(location :plugin.lds)"],
        linkshared = True,
        local_defines = kwargs.pop("local_defines", []) + (
            ["KNOWN_AS=" + KNOWN[known_as]] if known_as else []
        ),
        visibility = ["//visibility:public"],
        deps = deps + [
            ":plugin.lds",
            "//compat:filesystem_interface",
        ] + (["//compat:tensorflow_framework"] if framework else []),
        **kwargs
    )
