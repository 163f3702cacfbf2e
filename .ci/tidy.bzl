"""clang-tidy as a Bazel aspect, which rechecks a source only after a change:

    bazel build --aspects=//.ci:tidy.bzl%tidy --output_groups=tidy //...
"""

def _flags(context):
    """The compiler flags for a target's dependencies."""
    flags = ["-D" + define for define in context.defines.to_list()]
    for folder in context.quote_includes.to_list():
        flags += ["-iquote", folder]
    for folder in context.includes.to_list() + context.system_includes.to_list():
        flags += ["-isystem", folder]
    return flags

def _tidy_impl(target, ctx):
    # Skips test-only targets: parsing gmock's headers takes longer than all the
    # rest.
    if (ctx.rule.kind not in ["cc_binary", "cc_library"] or
        ctx.rule.attr.testonly or target.label.workspace_root):
        return []
    sources = [file for file in getattr(ctx.rule.files, "srcs", []) if file.extension == "cc"]
    infos = [dep[CcInfo] for dep in getattr(ctx.rule.attr, "deps", []) + [target] if CcInfo in dep]
    context = cc_common.merge_cc_infos(cc_infos = infos).compilation_context
    defines = ["-D" + define for define in getattr(ctx.rule.attr, "local_defines", [])]
    verdicts = []
    for source in sources:
        verdict = ctx.actions.declare_file("{}.{}.tidy".format(target.label.name, source.basename))
        ctx.actions.run_shell(
            arguments = [verdict.path, ctx.file._config.path, source.path] +
                        ctx.fragments.cpp.cxxopts + defines + _flags(context),
            command = """
                set -e
                out=$1 config=$2 source=$3
                shift 3
                clang-tidy --quiet --config-file="$config" "$source" -- "$@" >"$out" 2>&1 ||
                  { sed "s#$PWD/##" "$out"; exit 1; }""",
            inputs = depset(
                [ctx.file._config] + ctx.rule.files.srcs,
                transitive = [context.headers],
            ),
            mnemonic = "ClangTidy",
            outputs = [verdict],
            progress_message = "Looking at " + source.short_path,
            use_default_shell_env = True,
        )
        verdicts.append(verdict)
    return [OutputGroupInfo(tidy = depset(verdicts))]

tidy = aspect(
    doc = "Runs clang-tidy over the C++ sources of each target.",
    implementation = _tidy_impl,
    attrs = {"_config": attr.label(default = "//:.clang-tidy", allow_single_file = True)},
    fragments = ["cpp"],
)
