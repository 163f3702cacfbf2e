"""Third-party headers, compiled once for all targets."""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        # It includes only third-party headers.
        unsupported_features = ctx.disabled_features + ["layering_check", "module_maps"],
    )
    compiler = cc_common.get_tool_for_action(
        feature_configuration = features,
        action_name = ACTION_NAMES.cpp_compile,
    )

    contexts = [dep[CcInfo].compilation_context for dep in ctx.attr.deps]

    # Compilers accept it only if all flags equal the source's.
    flags = cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = ACTION_NAMES.cpp_compile,
        variables = cc_common.create_compile_variables(
            cc_toolchain = toolchain,
            feature_configuration = features,
            include_directories = depset(transitive = [each.includes for each in contexts]),
            system_include_directories = depset(
                transitive = [each.system_includes for each in contexts],
            ),
            use_pic = toolchain.needs_pic_for_dynamic_libraries(feature_configuration = features),
            user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts,
        ),
    )

    clang = "clang" in compiler
    if clang:
        # Otherwise each source instantiates again what the headers use
        # themselves.
        flags = flags + ["-fpch-instantiate-templates"]

    # clang refuses a header compiled without this flag.
    if "layering_check" in ctx.features:
        flags = flags + ["-fmodules-strict-decluse"]

    # Both compilers look for it under this name, in the header's folder.
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    compiled = ctx.actions.declare_file(ctx.label.name + ".h.gch")
    ctx.actions.run_shell(
        arguments = [header.path] + [source.path for source in ctx.files.srcs],
        command = 'header=$1; shift; cat "$@" >"$header"',
        inputs = ctx.files.srcs,
        mnemonic = "Concatenate",
        outputs = [header],
    )

    # clang records the absolute path of a file, which differs in each sandbox;
    # gcc does not precompile its standard input.
    source = "-" if clang else header.path
    ctx.actions.run_shell(
        arguments = [header.path, compiler] + flags +
                    ["-x", "c++-header", source, "-o", compiled.path],
        command = 'header=$1; shift; exec "$@" <"$header"',
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = ACTION_NAMES.cpp_compile,
            variables = cc_common.empty_variables(),
        ),
        inputs = depset(
            [header],
            transitive = [toolchain.all_files] + [each.headers for each in contexts],
        ),
        mnemonic = "CppPrecompile",
        outputs = [compiled],
        progress_message = "Precompiling " + header.short_path,
    )
    return [
        DefaultInfo(files = depset([header, compiled])),
        CcInfo(compilation_context = cc_common.create_compilation_context(
            headers = depset([header, compiled]),
        )),
    ]

precompiled_header = rule(
    doc = "NAME.h, which is `srcs` one after the other, and NAME.h.gch beside it.",
    implementation = _precompiled_header_impl,
    attrs = {
        "deps": attr.label_list(
            doc = "The libraries that these headers are of.",
            providers = [CcInfo],
        ),
        "srcs": attr.label_list(
            allow_files = [".h"],
            doc = "Headers that include the system's alone.",
            mandatory = True,
        ),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
