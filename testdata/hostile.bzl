"""Plugins that misbehave at one point of their life, all from one source."""

load("@rules_cc//cc:defs.bzl", "cc_library")
load(":plugin.bzl", "filesystem_plugin")

# What a variant does.
_DEEDS = {
    "aborts": "Calls abort().",
    "blocks_signals": "Blocks SIGINT in its thread, and goes on.",
    "changes_directory": "Goes to /, or from there to /proc, and goes on.",
    "changes_environment": "Sets FSLOAD_TEST_SETTING, and goes on.",
    "changes_rounding": "Has small numbers taken for zero, and goes on.",
    "changes_umask": "Lets nobody else read its files, and goes on.",
    "changes_user": "Becomes another group where it may, and goes on.",
    "calls_data": "Calls an address on its stack.",
    "calls_odd_address": "Calls an odd address that is not code.",
    "closes_descriptors": "Closes all descriptors, and goes on.",
    "crashes": "Stores to address 8.",
    "crowds_descriptors": "Starts many processes that share very many descriptors, and never returns.",
    "damages_report": "Writes over what its host told of it, and goes on.",
    "crashes_later": "Starts a thread that crashes after 200 ms, and goes on.",
    "eats_memory": "Allocates until there is no more.",
    "empties_messages": "Clears what its host told of it, and goes on.",
    "executes": "Runs another program: goes on where it may not.",
    "exits": "Calls exit(0).",
    "exits_77": "Calls exit(77).",
    "forks_and_hides": "Leaves a process in a session of its own behind, says which, and goes on.",
    "forks": "Forks, and returns in both processes.",
    "forks_and_hangs": "As forks_and_hides, and never returns.",
    "handles_signals": "Handles SIGSEGV and SIGTERM, and goes on.",
    "hangs": "Never returns.",
    "hides_crash": "Handles SIGSEGV by _exit(0), and crashes.",
    "hides_in_a_chain": "Leaves a chain of 900 processes behind, says which is the last, and goes on.",
    "hides_umask": "Opens as many files as it may, changes the umask, and goes on.",
    "hoards_memory": "Shares 25 GiB of memory, makes 100 pairs of sockets and 100 files in memory, and goes on.",
    "kills_parent": "Sends SIGKILL to its parent: goes on where it may not.",
    "limits_parent": "Takes its parent's right to open files: goes on where it may not.",
    "opens_socket": "Opens a socket: goes on where it may not.",
    "overflows_stack": "Recurses for ever.",
    "overflows_thread": "Recurses for ever in a thread of its own.",
    "overstates_messages": "Has its host's messages taken for too long, and goes on.",
    "prints_megabytes": "Prints 4 MiB, and goes on.",
    "prints_a_line": "Prints a line with an escape sequence, and goes on.",
    "pthread_exits": "Ends the thread that calls it.",
    "quick_exits": "Calls _exit(0).",
    "quick_exits_77": "Calls _exit(77).",
    "replaces_terminate": "Replaces the terminate handler, and goes on.",
    "starts_a_child": "Leaves a process in its process group behind, and goes on.",
    "starts_alarm": "Starts the timer for SIGALRM, and goes on.",
    "starts_threads": "Starts 600 threads that wait, ends them, and goes on: aborts where it may not.",
    "takes_descriptors": "Opens as many files as it may, and goes on.",
    "throws": "Throws 42.",
    "tries_many_calls": "Opens sockets of 27 families: aborts where it gets one.",
    "writes_outside": "Writes to the folder FSLOAD_TEST_FOLDER names: goes on where it may not, " +
                      "if it may write a temporary file.",
}

# Where it happens, unless only in TF_InitPlugin: in a static initializer, in
# TF_InitPlugin, when what it handed over is freed, in init, in cleanup, in a
# static destructor, in a linker-level destructor (.fini_array), in
# get_children.
_POINTS = {
    "crashes": ["static", "entry", "free", "init", "cleanup", "exit", "fini", "children"],
    "crowds_descriptors": ["init"],
    "damages_report": ["cleanup"],
    "eats_memory": ["entry", "children"],
    "empties_messages": ["fini"],
    "exits": ["static", "entry", "init", "cleanup", "children"],
    "exits_77": ["exit"],
    "hides_umask": ["cleanup"],
    "overflows_stack": ["entry", "children"],
    "overstates_messages": ["cleanup"],
    "prints_a_line": ["entry", "children"],
    "pthread_exits": ["entry", "cleanup"],
    "quick_exits": ["entry", "exit", "fini", "children"],
    "quick_exits_77": ["fini"],
    "takes_descriptors": ["entry", "init", "cleanup"],
    "hangs": ["static", "entry", "init", "cleanup", "exit", "fini", "children"],
    "throws": ["static", "entry", "init", "cleanup", "free"],
}

def hostile_plugins(name, deps):
    """hostile_<deed>_<point>.so for each pair, and a filegroup of all.

    Args:
      name: the filegroup.
      deps: libraries besides those of the interface.
    """
    cc_library(
        name = name + "_deeds",
        srcs = [
            "hostile.cc",
            "hostile_attacks.h",
        ],
        copts = ["-fvisibility=hidden"],
        deps = deps + ["//compat:filesystem_interface"],
        alwayslink = True,
    )
    plugins = []
    for deed, point in [
        (deed, point)
        for deed in _DEEDS
        for point in _POINTS.get(deed, ["entry"])
    ]:
        plugin = "hostile_{}_{}.so".format(deed, point)
        filesystem_plugin(
            name = plugin,
            srcs = ["hostile_variant.cc"],
            local_defines = ["DEED=" + deed, "POINT=" + point],
            deps = [":" + name + "_deeds"],
        )
        plugins.append(plugin)
    native.filegroup(
        name = name,
        srcs = plugins,
        visibility = ["//visibility:public"],
    )
