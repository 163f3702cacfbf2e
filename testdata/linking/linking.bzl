"""Plugins that differ in how they are linked, all from plugin.cc."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_import")

def linking_plugin(name, linkopts = [], framework = True, **kwargs):
    """A shared object that exports what starts with TF_ and is defined in it.

    Args:
      name: its file is <name>.so, its scheme `name` without underscores.
      linkopts: more linker flags.
      framework: whether it names the framework library.
      **kwargs: more arguments of cc_binary.
    """
    cc_binary(
        name = name + ".so",
        srcs = kwargs.pop("srcs", []) + ["plugin.cc"],
        additional_linker_inputs = ["exports.lds"] + kwargs.pop("additional_linker_inputs", []),
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

def without_spare_entries(name, plugin):
    """A copy of a shared object that has no spare entry in its dynamic section.

    Linkers disagree on --spare-dynamic-tags=0: some leave no last entry either.

    Args:
      name: its file is <name>.so.
      plugin: the file to copy.
    """
    native.genrule(
        name = name,
        srcs = [plugin],
        outs = [name + ".so"],
        cmd = "/usr/bin/python3 $(location cut_spare_entries.py) $< $@",
        tools = ["cut_spare_entries.py"],
        visibility = ["//visibility:public"],
    )

def missing_plugin(name, place, srcs = [], local_defines = [], linkopts = [], framework = True):
    """A shared object that imports what nobody provides: <name>.so, from
    missing.cc.

    Args:
      name: its schemes are `name` without underscores, and that with ".other".
      place: where it calls what is missing.
      srcs: more sources.
      local_defines: how else it uses what is missing.
      linkopts: more linker flags.
      framework: whether it names the framework library.
    """
    cc_binary(
        name = name + ".so",
        srcs = srcs + ["missing.cc"],
        additional_linker_inputs = ["exports.lds"],
        copts = ["-fvisibility=hidden"],
        linkopts = ["-Wl,--version-script=$(location exports.lds)"] + linkopts,
        linkshared = True,
        local_defines = local_defines + [
            "PLACE=" + place,
            "SCHEME=" + name.replace("_", ""),
        ],
        visibility = ["//visibility:public"],
        deps = ["//compat:filesystem_interface"] + (
            ["//compat:tensorflow_framework"] if framework else []
        ),
    )

def needed_library(name, linkopts = [], **kwargs):
    """A library for deps, which the plugin finds by itself when it is opened.

    Args:
      name: its file and its soname are libfsload_test_<name>.so.
      linkopts: more linker flags.
      **kwargs: more arguments of cc_binary.
    """
    file = "libfsload_test_" + name + ".so"
    cc_binary(
        name = file,
        linkopts = ["-Wl,-soname," + file] + linkopts,
        linkshared = True,
        visibility = ["//visibility:public"],
        **kwargs
    )
    cc_import(
        name = name,
        interface_library = ":" + file,
        system_provided = True,
    )

def future_library(name, soname, versions):
    """A library newer at link time than at run time.

    Args:
      name: a library for deps.
      soname: what the plugin then names.
      versions: the version script.
    """
    cc_binary(
        name = "lib" + name + ".so",
        srcs = ["future.cc"],
        additional_linker_inputs = [versions],
        linkopts = [
            "-Wl,-soname," + soname,
            "-Wl,--version-script=$(location {})".format(versions),
        ],
        linkshared = True,
    )
    cc_import(
        name = name,
        interface_library = ":lib" + name + ".so",
        system_provided = True,
    )

def entry_plugin(name, linkopts = [], **kwargs):
    """A shared object whose TF_InitPlugin cannot be called: <name>.so.

    Args:
      name: also the define that selects the defect.
      linkopts: linker flags.
      **kwargs: more arguments of cc_binary.
    """
    cc_binary(
        name = name + ".so",
        srcs = ["entry.cc"],
        # An optimized link drops what nobody refers to.
        linkopts = linkopts + ["-Wl,-u,TF_InitPlugin"],
        linkshared = True,
        local_defines = [name.upper()],
        visibility = ["//visibility:public"],
        **kwargs
    )
