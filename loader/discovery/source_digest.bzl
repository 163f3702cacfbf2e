"""Tells builds of fsload apart: a header with the digest of sources."""

_Sources = provider(fields = ["files"])

def _collect_impl(_target, ctx):
    own = []
    for name in ["srcs", "hdrs", "textual_hdrs"]:
        for target in getattr(ctx.rule.attr, name, []):
            own += [file for file in target.files.to_list() if file.is_source]

    # A source may be several, joined.
    below = [
        target[_Sources].files
        for name in ["deps", "srcs"]
        for target in getattr(ctx.rule.attr, name, [])
        if _Sources in target
    ]
    return [_Sources(files = depset(own, transitive = below))]

_collect = aspect(
    implementation = _collect_impl,
    attr_aspects = ["deps", "srcs"],
)

def _source_digest_impl(ctx):
    all_files = depset(transitive = [dep[_Sources].files for dep in ctx.attr.deps]).to_list()
    ours = [
        file
        for file in all_files
        if file.owner.workspace_name == ctx.label.workspace_name
    ]
    ctx.actions.run_shell(
        arguments = [ctx.outputs.out.path, ctx.attr.constant] + sorted([file.path for file in ours]),
        command = """out=$1; name=$2; shift 2
sum=$(cat "$@" | sha256sum | cut -c1-32)
echo "namespace fsload { inline constexpr char $name[] = \\"$sum\\"; }" >"$out"
""",
        inputs = ours,
        mnemonic = "SourceDigest",
        outputs = [ctx.outputs.out],
    )

source_digest = rule(
    doc = "Writes `out`, which defines `constant`: the digest of the sources of `deps` and of all that they use in this repository.",
    implementation = _source_digest_impl,
    attrs = {
        "constant": attr.string(mandatory = True),
        "deps": attr.label_list(
            aspects = [_collect],
            mandatory = True,
        ),
        "out": attr.output(mandatory = True),
    },
)
