"""libfsload, as programs outside this tree link it: shared and static."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

_LINK_SHARED = "//third_party/system:link_shared"
_COPT = "//command_line_option:copt"
_FORCE_PIC = "//command_line_option:force_pic"
_SUFFIX = "//command_line_option:platform_suffix"
_MODE = "//command_line_option:compilation_mode"

# What is shipped is optimized, and hides all but the API. Otherwise the objects of
# the tests serve, so that an installation can be tested without compiling all again.
def _shipped_impl(settings, _attr):
    if str(settings[_MODE]) != "opt":
        return {option: settings[option] for option in [_COPT, _FORCE_PIC, _SUFFIX]}
    return {
        _COPT: settings[_COPT] + ["-fvisibility=hidden", "-fvisibility-inlines-hidden"],
        _FORCE_PIC: True,
        _SUFFIX: "-shipped",
    }

_shipped = transition(
    implementation = _shipped_impl,
    inputs = [_COPT, _FORCE_PIC, _MODE, _SUFFIX],
    outputs = [_COPT, _FORCE_PIC, _SUFFIX],
)

def _linked_shared_impl(_settings, _attr):
    return {_LINK_SHARED: True}

_linked_shared = transition(
    implementation = _linked_shared_impl,
    inputs = [],
    outputs = [_LINK_SHARED],
)

# The mangled name of Abseil's inline namespace takes the place of {absl}.
_VERSION_SCRIPT = """
compiler=$1; out=$2; shift 2
name=$(echo '#include <absl/base/options.h>' | $compiler -E -dM -x c++ - |
  sed -n 's/^#define ABSL_OPTION_INLINE_NAMESPACE_NAME //p')
{ echo '{ global:'; sed "s/{absl}/${#name}$name/g; s/\\$/;/" "$@"; echo 'local: *; };'; } >"$out"
"""

def _objects(library):
    return library.pic_objects or library.objects or []

def _packaged_library_impl(ctx):
    context = ctx.attr.deps[0][CcInfo].linking_context
    objects = [
        file
        for linker_input in context.linker_inputs.to_list()
        for library in linker_input.libraries
        for file in _objects(library)
    ]
    flags = []
    for linker_input in ctx.attr.linked[0][CcInfo].linking_context.linker_inputs.to_list():
        flags += linker_input.user_link_flags
    flags = depset(flags).to_list()

    toolchain = find_cpp_toolchain(ctx)
    compiler = [toolchain.compiler_executable]
    if toolchain.sysroot:
        compiler.append("--sysroot=" + toolchain.sysroot)

    archive = ctx.actions.declare_file("libfsload.a")
    ctx.actions.run(
        arguments = ["rcsD", archive.path] + [file.path for file in objects],
        executable = toolchain.ar_executable,
        inputs = depset(objects, transitive = [toolchain.all_files]),
        mnemonic = "PackageArchive",
        outputs = [archive],
        use_default_shell_env = True,
    )

    script = ctx.actions.declare_file("libfsload.lds")
    ctx.actions.run_shell(
        arguments = [" ".join(compiler), script.path] +
                    [file.path for file in ctx.files.exports],
        command = _VERSION_SCRIPT,
        inputs = depset(ctx.files.exports, transitive = [toolchain.all_files]),
        mnemonic = "VersionScript",
        outputs = [script],
        use_default_shell_env = True,
    )

    shared = ctx.actions.declare_file("libfsload.so")
    ctx.actions.run(
        arguments = compiler[1:] + ["-shared", "-o", shared.path] +
                    ["-Wl,-soname," + ctx.attr.soname, "-Wl,-z,defs", "-Wl,-z,relro", "-Wl,-z,now"] +
                    ["-Wl,--version-script=" + script.path] +
                    [file.path for file in objects] + ["-Wl,--as-needed"] +
                    flags + ["-pthread", "-lstdc++", "-lm"],
        executable = compiler[0],
        inputs = depset(objects + [script], transitive = [toolchain.all_files]),
        mnemonic = "PackageShared",
        outputs = [shared],
        use_default_shell_env = True,
    )
    return DefaultInfo(
        files = depset([archive, shared]),
        runfiles = ctx.runfiles(files = [archive, shared]),
    )

packaged_library = rule(
    doc = "libfsload.a and libfsload.so of `deps`, which is one cc_library.",
    implementation = _packaged_library_impl,
    attrs = {
        "deps": attr.label_list(cfg = _shipped, mandatory = True, providers = [CcInfo]),
        "exports": attr.label_list(
            allow_files = [".txt"],
            doc = "The symbols that the shared library exports, one a line.",
            mandatory = True,
        ),
        "linked": attr.label_list(
            cfg = _linked_shared,
            doc = "The same, for its link flags: nothing of it is compiled.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "soname": attr.string(mandatory = True),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
