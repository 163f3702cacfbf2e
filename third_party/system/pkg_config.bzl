"""Libraries of the operating system as Bazel targets, through pkg-config."""

_LIBRARY = """
cc_library(
    name = "{name}",
    hdrs = glob({headers}, allow_empty = True),
    includes = {includes},
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

# The oldest compilers that fsload is tested with.
_OLDEST_COMPILERS = {"g++": 12, "clang": 14}

def _archive(flag):
    """`-lname` as the name of its static archive; other flags unchanged."""
    return "-l:lib{}.a".format(flag[2:]) if flag.startswith(_ARCHIVES) else flag

def _check_compiler(ctx):
    """Fails before anything is compiled if the compiler is too old; bazelw sees one that is missing."""
    compiler = ctx.os.environ.get("CC", "gcc")
    needed = " or ".join(["{} {}".format(*each) for each in _OLDEST_COMPILERS.items()])
    version = ctx.execute([compiler, "-dumpversion"])
    text = ctx.execute([compiler, "--version"]).stdout
    kind = "clang" if "clang" in text else "g++"
    if kind == "g++" and ctx.execute([compiler, "-print-prog-name=cc1plus"]).stdout.strip() == "cc1plus":
        fail("{} cannot compile C++: fsload needs {} or later; install g++".format(compiler, needed))
    major = version.stdout.strip().split(".")[0]
    if major.isdigit() and int(major) < _OLDEST_COMPILERS[kind]:
        fail("{} {} is too old: fsload needs {} {} or later".format(
            kind,
            version.stdout.strip(),
            kind,
            _OLDEST_COMPILERS[kind],
        ))

def _flags(ctx, option, name):
    """What pkg-config says of a library, as a list."""
    result = ctx.execute(["pkg-config", option, name])
    if result.return_code != 0:
        fail("pkg-config {} {}: {}".format(option, name, result.stderr))
    return [flag for flag in result.stdout.strip().split(" ") if flag]

def _check_version(ctx, name):
    """Fails if the library is missing, or older than the oldest that works."""
    if not ctx.which("pkg-config"):
        fail("pkg-config is missing: fsload finds its libraries with it")
    found = ctx.execute(["pkg-config", "--modversion", name])
    if found.return_code != 0:
        fail("the library {} is missing: pkg-config finds no {}.pc{}".format(
            name,
            name,
            "; fsload needs version {} or later".format(ctx.attr.oldest) if ctx.attr.oldest else "",
        ))
    if not ctx.attr.oldest:
        return
    if ctx.execute(["pkg-config", "--atleast-version=" + ctx.attr.oldest, name]).return_code != 0:
        fail("the library {} {} is too old: fsload needs version {} or later".format(
            name,
            found.stdout.strip(),
            ctx.attr.oldest,
        ))

def _pkg_config_repository(ctx):
    _check_compiler(ctx)
    build = ""
    for target, package in ctx.attr.targets.items():
        _check_version(ctx, package)

        # Folders that compilers do not search by themselves.
        includes = []
        for flag in _flags(ctx, "--cflags-only-I", package):
            includes.append("{}_include_{}".format(target, len(includes)))
            ctx.symlink(flag[2:], includes[-1])
        flags = [] if ctx.attr.headers_only else _flags(ctx, "--libs", package)
        linkopts = repr(flags)
        if ctx.attr.static:
            linkopts = _CHOICE.format(
                archives = repr([_archive(flag) for flag in flags]),
                shared = repr(flags),
            )
        build += _LIBRARY.format(
            headers = repr([folder + "/**" for folder in includes]),
            includes = repr(includes),
            linkopts = linkopts,
            name = target,
        )
    ctx.file("BUILD.bazel", build)

pkg_config_repository = repository_rule(
    doc = "One cc_library for each of `targets`: the flags pkg-config names for it.",
    implementation = _pkg_config_repository,
    attrs = {
        "headers_only": attr.bool(doc = "Link nothing."),
        "oldest": attr.string(doc = "The oldest version that works; empty for any."),
        "static": attr.bool(doc = "Link archives instead of shared objects."),
        "targets": attr.string_dict(
            doc = "The targets, each with its name in pkg-config.",
            mandatory = True,
        ),
    },
    environ = ["CC", "PATH", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_PATH"],
    local = True,
)
