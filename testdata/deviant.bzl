"""Plugins that deviate from the contract in one way each, all from one source."""

load("@rules_cc//cc:defs.bzl", "cc_library")
load(":plugin.bzl", "filesystem_plugin")

# The name of each variant, and what it does.
DEVIANT_VARIANTS = {
    "children_end_in_slash": "Directories among the children end in \"/\".",
    "children_error_keeps_array": "get_children fails and leaves a freed array.",
    "children_error_zero": "get_children fails, answers 0, sets no array.",
    "children_null_array": "get_children gives 2 entries in a null array.",
    "children_null_entry": "The second of two children is null.",
    "children_of_nothing": "get_children of nothing answers OK and none.",
    "children_negative": "get_children answers OK and -1 with an array.",
    "child_dots": "There are children named \".\" and \"..\".",
    "child_elsewhere": "There is a child named \"../other\".",
    "child_empty": "There is a child named \"\".",
    "child_slash": "There is a child named \"/\".",
    "code_unknown": "Errors have the code 99.",
    "create_dir_does_nothing": "create_dir answers OK for what stays missing.",
    "decode_null": "decode_transaction_token answers null.",
    "deletes_siblings": "delete_recursively takes all that has the prefix.",
    "fatal_log": "Each path_exists logs a fatal message.",
    "init_null_getenv": "init makes a string of an unset variable.",
    "is_directory_precondition": "is_directory fails for files.",
    "keys_negative": "-1 keys, and a block.",
    "keys_null": "2 keys, and no block.",
    "message_empty": "Errors have no message.",
    "none": "No deviation: what the others are compared with.",
    "option_buffer_null": "A buffer of 3 bytes is null.",
    "option_nameless": "An option's name is null.",
    "option_type_unknown": "An option's type is 7.",
    "option_value_null": "An option's value is null.",
    "options_negative": "-1 options, and an array.",
    "options_null": "2 options, and no array.",
    "paths_exist_agrees": "paths_exist answers true whatever the statuses.",
    "paths_exist_denies": "paths_exist answers false whatever the statuses.",
    "read_error_part": "A failed read answers the 4 bytes that came before.",
    "read_error_zero": "A failed read answers 0.",
    "read_negative": "A read answers OK and -1.",
    "read_range_negative": "A read at the end answers OUT_OF_RANGE and -1.",
    "read_short": "A read answers OK and 3 bytes at most.",
    "read_too_much": "A read answers one byte more than asked for.",
    "region_data_null": "The region has a length, and its data is null.",
    "size_negative": "get_file_size answers OK and -1.",
    "size_on_error": "get_file_size fails and answers 12345.",
    "status_only_on_failure": "Sets no status but that of a failure.",
    "status_read_first": "Fails where the status is an error on entry.",
    "tell_negative": "tell answers OK and -1.",
    "throws": "All operations but init throw std::runtime_error.",
    "throws_in_files": "All operations of files throw std::runtime_error.",
    "throws_in_free": "plugin_memory_free throws.",
    "throws_int": "As throws, but an int.",
    "token_null": "Transactions start with OK and a null token.",
    "translate_identity": "translate_name copies what it gets.",
    "translate_inside": "translate_name answers a pointer into what it got.",
    "translate_null": "translate_name answers null.",
    "translate_same": "translate_name answers the pointer that it got.",
    "undeleted_unset": "delete_recursively leaves both counts alone.",
    "user_data_as_format": "Logs each path as a format.",
    "wrong_codes": "delete_dir is UNKNOWN; what is forbidden is NOT_FOUND.",
}

def deviant_plugins(name, deps):
    """One plugin, deviant_<variant>.so, for each variant, and a filegroup of
    all.

    Args:
      name: the filegroup.
      deps: libraries besides those of the interface.
    """
    cc_library(
        name = name + "_operations",
        srcs = native.glob(
            [
                "deviant/*.cc",
                "deviant/*.h",
            ],
            exclude = ["deviant/variant.cc"],
        ),
        copts = ["-fvisibility=hidden"],
        local_defines = ["PLUGIN_MEMORY_LOG"],
        deps = deps + [
            "//compat:filesystem_interface",
        ],
        alwayslink = True,
    )
    plugins = []
    for variant in DEVIANT_VARIANTS:
        plugin = "deviant_" + variant + ".so"
        filesystem_plugin(
            name = plugin,
            srcs = ["deviant/variant.cc"],
            local_defines = ["VARIANT=" + variant],
            deps = [":" + name + "_operations"],
        )
        plugins.append(plugin)
    native.filegroup(
        name = name,
        srcs = plugins,
        visibility = ["//visibility:public"],
    )
