"""Plugins that differ in how they are linked, all from plugin.cc."""

load("@rules_cc//cc:defs.bzl", "cc_binary")

def linking_plugin(name, linkopts = [], framework = True, **kwargs):
    """A shared object that exports what starts with TF_ and is defined in it.

    Args:
      name: its file is <name>.so, its scheme `name` without underscores.
      linkopts: further flags of the linker.
      framework: whether it names the framework library.
      **kwargs: further arguments of cc_binary.
    """
    cc_binary(
        name = name + ".so",
        srcs = kwargs.pop("srcs", []) + ["plugin.cc"],
        additional_linker_inputs = ["exports.lds"],
        copts = ["-fvisibility=hidden"],
        linkopts = ["-Wl,--version-script=$(location exports.lds)"] + linkopts,
        linkshared = True,
        local_defines = kwargs.pop("local_defines", []) + [
            "SCHEME=" + name.replace("_", ""),
        ],
        visibility = ["//visibility:public"],
        deps = kwargs.pop("deps", []) + ["//compat:filesystem_interface"] + (
            ["//compat:tensorflow_framework"] if framework else []
        ),
        **kwargs
    )
