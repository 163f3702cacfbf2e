"""Plugins that break one rule each, all from one source."""

load("@rules_cc//cc:defs.bzl", "cc_library")
load(":plugin.bzl", "filesystem_plugin")

# The name of each variant, and what it does.
BROKEN_VARIANTS = {
    "bad_scheme": "The scheme is \"no good\".",
    "free_throws": "plugin_memory_free throws std::runtime_error(\"out of luck\").",
    "hook_not_code": "plugin_memory_free points to data.",
    "hooks_left": "Leaves the host's hooks and allocates with them.",
    "hooks_swapped": "plugin_memory_allocate frees and plugin_memory_free allocates.",
    "init_fails": "init answers UNAVAILABLE, \"no server\".",
    "init_throws": "init throws std::runtime_error(\"out of luck\").",
    "larger_size": "Two operations more than the interface has: legal.",
    "missing_cleanup": "No cleanup.",
    "missing_init": "No init.",
    "missing_raf_cleanup": "TF_RandomAccessFileOps without cleanup.",
    "missing_raf_table": "new_random_access_file without its table.",
    "missing_region_length": "TF_ReadOnlyMemoryRegionOps without length.",
    "missing_region_table": "The creator of regions without its table.",
    "missing_writable_table": "new_writable_file without its table.",
    "newer_api": "The filesystem table's API is 99: a warning.",
    "no_entry": "No TF_InitPlugin.",
    "no_schemes": "num_schemes is 0.",
    "null_filesystem_ops": "No filesystem table.",
    "null_hooks": "Both hooks are null.",
    "null_ops_array": "One scheme, and no array.",
    "null_scheme": "The scheme is null.",
    "old_entry_2_1": "TensorFlow 2.1's entry; imports RegisterFilesystemPlugin.",
    "one_hook": "Replaces plugin_memory_free alone.",
    "op_not_code": "path_exists points to data.",
    "prints": "TF_InitPlugin prints: legal.",
    "repeated_scheme": "Two schemes of one name.",
    "second_init_fails": "As init_fails, for the second of two schemes.",
    "shared_tables": "Two schemes with one filesystem table.",
    "size_huge": "The filesystem table has 2^63 bytes.",
    "size_not_multiple": "The filesystem table has 261 bytes.",
    "size_too_small": "The filesystem table has 8 bytes.",
    "size_without_table": "A size for regions, which are not supported: legal.",
    "static_tables": "The tables are static objects, which nobody can free.",
    "table_without_size": "The writable files' table is there, with size 0.",
    "taken": "The scheme is \"posix\", which testdata/posix.so has.",
    "throws_in_init_plugin": "As init_throws, in TF_InitPlugin.",
    "too_many_schemes": "num_schemes is 257.",
    "unreadable_scheme": "The scheme is at address 64.",
    "unreadable_table": "The filesystem table is at address 64.",
    "wrong_abi": "The filesystem table's ABI is 99.",
}

def broken_plugins(name, deps):
    """One plugin, broken_<variant>.so, for each variant, and a filegroup of
    all.

    Args:
      name: the filegroup.
      deps: libraries besides those of the interface.
    """
    cc_library(
        name = name + "_rules",
        srcs = ["broken.cc"],
        copts = ["-fvisibility=hidden"],
        deps = deps + ["//compat:filesystem_interface"],
        alwayslink = True,
    )
    plugins = []
    for variant in BROKEN_VARIANTS:
        plugin = "broken_" + variant + ".so"
        filesystem_plugin(
            name = plugin,
            srcs = ["broken_variant.cc"],
            local_defines = ["VARIANT=" + variant, "VARIANT_IS_" + variant],
            deps = [":" + name + "_rules"],
        )
        plugins.append(plugin)
    native.filegroup(
        name = name,
        srcs = plugins,
        visibility = ["//visibility:public"],
    )
