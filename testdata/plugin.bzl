"""How the plugins here are built."""

load("@rules_cc//cc:defs.bzl", "cc_binary")

def filesystem_plugin(name, srcs, deps = [], framework = True, **kwargs):
    """A shared object that exports only TF_InitPlugin.

    It is linked with a stub of the framework library, like plugins built
    elsewhere.

    Args:
      name: the file's name, with ".so".
      srcs: sources in C++ or C.
      deps: libraries besides those of the interface.
      framework: whether to link the stub; without it, the plugin imports nothing.
      **kwargs: more arguments of cc_binary.
    """
    cc_binary(
        name = name,
        srcs = srcs,
        copts = ["-fvisibility=hidden"],
        linkopts = ["-Wl,--version-script=$(location :plugin.lds)"],
        linkshared = True,
        visibility = ["//visibility:public"],
        deps = deps + [
            ":plugin.lds",
            "//compat:filesystem_interface",
        ] + (["//compat:tensorflow_framework"] if framework else []),
        **kwargs
    )
