"""A cross compiler for arm64: Debian's, with the libraries of the same Debian."""

_COMPILER = "aarch64-linux-gnu-g++"

# Bazel's names for the tools; `false` is for one that it never calls.
_TOOLS = {
    "ar": "aarch64-linux-gnu-ar",
    "cpp": "aarch64-linux-gnu-cpp",
    "dwp": "aarch64-linux-gnu-dwp",
    "gcc": "aarch64-linux-gnu-gcc",
    "gcov": "aarch64-linux-gnu-gcov",
    "ld": "aarch64-linux-gnu-ld",
    "llvm-cov": "false",
    "nm": "aarch64-linux-gnu-nm",
    "objcopy": "aarch64-linux-gnu-objcopy",
    "objdump": "aarch64-linux-gnu-objdump",
    "strip": "aarch64-linux-gnu-strip",
}

# Keeps what dpkg knows of a package that it installs: tools/packaging asks for its
# shared libraries (deb-shlibs(5)), its version and its home page.
_KEEP_FACTS = """
for deb in "$1"/var/cache/apt/archives/*.deb; do
  dpkg-deb --info "$deb" shlibs 2>/dev/null | grep -v ^udeb: >>"$1/shlibs"
  dpkg-deb --field "$deb" >>"$1/var/lib/dpkg/status"
  printf 'Status: install ok installed\\n\\n' >>"$1/var/lib/dpkg/status"
done
"""

_BUILD = """
load("@bazel_tools//tools/cpp:unix_cc_toolchain_config.bzl", "cc_toolchain_config")

cc_toolchain_suite(
    name = "toolchain",
    toolchains = {{
        "aarch64": ":compiler",
        "aarch64|compiler": ":compiler",
    }},
    visibility = ["//visibility:public"],
)

exports_files(["sysroot/shlibs"])

filegroup(name = "none")

cc_toolchain(
    name = "compiler",
    all_files = ":none",
    ar_files = ":none",
    as_files = ":none",
    compiler_files = ":none",
    dwp_files = ":none",
    linker_files = ":none",
    objcopy_files = ":none",
    strip_files = ":none",
    supports_param_files = True,
    toolchain_config = ":config",
    toolchain_identifier = "aarch64-linux-gnu",
)

cc_toolchain_config(
    name = "config",
    abi_libc_version = "local",
    abi_version = "local",
    builtin_sysroot = "{sysroot}",
    compile_flags = [
        "-fstack-protector",
        "-Wall",
        "-Wunused-but-set-parameter",
        "-Wno-free-nonheap-object",
        "-fno-omit-frame-pointer",
    ],
    compiler = "compiler",
    cpu = "aarch64",
    cxx_builtin_include_directories = {includes},
    cxx_flags = ["-std=c++17"],
    dbg_compile_flags = ["-g"],
    host_system_name = "local",
    link_flags = [
        "-Wl,-no-as-needed",
        "-Wl,-z,relro,-z,now",
        "-pass-exit-codes",
    ],
    link_libs = [
        "-lstdc++",
        "-lm",
    ],
    opt_compile_flags = [
        "-g0",
        "-O2",
        "-D_FORTIFY_SOURCE=1",
        "-DNDEBUG",
        "-ffunction-sections",
        "-fdata-sections",
    ],
    opt_link_flags = ["-Wl,--gc-sections"],
    supports_start_end_lib = False,
    target_libc = "local",
    target_system_name = "local",
    tool_paths = {tools},
    toolchain_identifier = "aarch64-linux-gnu",
    unfiltered_compile_flags = [
        "-no-canonical-prefixes",
        "-Wno-builtin-macro-redefined",
        "-D__DATE__=\\"redacted\\"",
        "-D__TIMESTAMP__=\\"redacted\\"",
        "-D__TIME__=\\"redacted\\"",
    ],
)
"""

def _run(ctx, command):
    """The output of a command, which must not fail."""
    result = ctx.execute(command, timeout = 1800)
    if result.return_code != 0:
        fail("{}: exit code {}: {}{}".format(
            " ".join([str(word) for word in command]),
            result.return_code,
            result.stdout,
            result.stderr,
        ))
    return result.stdout

def _libraries(ctx, gcc_version):
    """The packages with headers that bazelw installs, and those that g++ brings on its own machine."""
    script = ctx.read(ctx.attr.bazelw)
    words = script.split("packages=\"")[1].split("\"")[0].replace("\n", " ").split(" ")
    return ["libc6-dev", "libstdc++-{}-dev".format(gcc_version)] + [
        word
        for word in words
        if word.endswith("-dev")
    ]

def _arm64_repository(ctx):
    for program in (_COMPILER, "mmdebstrap"):
        if not ctx.which(program):
            fail("{} is missing: run ./bazelw with --config=arm64, which installs it".format(program))
    release = _run(ctx, ["sh", "-c", ". /etc/os-release; echo \"${VERSION_CODENAME-sid}\""]).strip()
    gcc_version = _run(ctx, [_COMPILER, "-dumpversion"]).strip().split(".")[0]
    sysroot = ctx.path("sysroot")
    _run(ctx, [
        "mmdebstrap",
        "--quiet",
        "--arch=arm64",
        # Nothing of arm64 runs.
        "--variant=extract",
        "--skip=check/qemu",
        "--include=" + ",".join(_libraries(ctx, gcc_version)),
        "--extract-hook=" + _KEEP_FACTS,
        release,
        sysroot,
    ])
    found = _run(ctx, [_COMPILER, "--sysroot", sysroot, "-print-file-name=include"]).strip()
    ctx.file("BUILD.bazel", _BUILD.format(
        includes = repr([str(sysroot), found.rpartition("/")[0], "/usr/aarch64-linux-gnu/include"]),
        sysroot = sysroot,
        tools = repr({name: str(ctx.which(tool)) for name, tool in _TOOLS.items()}),
    ))

arm64_repository = repository_rule(
    doc = "A toolchain for `--config=arm64`; nothing is installed in the system.",
    implementation = _arm64_repository,
    attrs = {
        "bazelw": attr.label(
            allow_single_file = True,
            default = Label("//:bazelw"),
            doc = "The script that knows which libraries are needed.",
        ),
    },
)
