"""Libraries of the operating system as Bazel targets, through pkg-config."""

_LIBRARY = """
cc_library(
    name = "{name}",
    linkopts = {linkopts},
    visibility = ["//visibility:public"],
)
"""

# Of Debian's archives many are not position-independent, so a shared object of
# ours is linked with the shared ones.
_CHOICE = """select({{
    "@fsload//third_party/system:shared": {shared},
    "//conditions:default": {archives},
}})"""

# Prefixes of the libraries that are linked as archives; the C library never is.
_ARCHIVES = ("-labsl_", "-lmd", "-lminizip", "-lpugixml", "-lseccomp", "-lz")

def _archive(flag):
    """`-lname` as the name of its static archive; other flags unchanged."""
    return "-l:lib{}.a".format(flag[2:]) if flag.startswith(_ARCHIVES) else flag

def _pkg_config_repository(ctx):
    build = ""
    for target in ctx.attr.targets:
        result = ctx.execute(["pkg-config", "--libs", ctx.attr.prefix + target])
        if result.return_code != 0:
            fail("pkg-config knows no {}{}: {}".format(ctx.attr.prefix, target, result.stderr))
        flags = [flag for flag in result.stdout.strip().split(" ") if flag]
        linkopts = repr(flags)
        if ctx.attr.static:
            linkopts = _CHOICE.format(
                archives = repr([_archive(flag) for flag in flags]),
                shared = repr(flags),
            )
        build += _LIBRARY.format(name = target, linkopts = linkopts)
    ctx.file("BUILD.bazel", build)

pkg_config_repository = repository_rule(
    doc = "One cc_library for each of `targets`: the link flags pkg-config names for it.",
    implementation = _pkg_config_repository,
    attrs = {
        "prefix": attr.string(doc = "Stands before each target's name in pkg-config."),
        "static": attr.bool(doc = "Link archives instead of shared objects."),
        "targets": attr.string_list(mandatory = True),
    },
    local = True,
)
