"""Several sources in one, so that what they include is compiled once."""

# Compilers name the original in their messages. g++ takes what is in it for a header
# then, where a member whose type is in an anonymous namespace would be a mistake.
_COMMAND = """
out=$1; shift
{
  printf '#ifndef __clang__\\n'
  printf '#pragma GCC diagnostic ignored "-Wsubobject-linkage"\\n'
  printf '#endif\\n'
  for source in "$@"; do
    printf '#line 1 "%s"\\n' "$source"
    cat "$source"
  done
} >"$out"
"""

def _joined_source_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.run_shell(
        arguments = [out.path] + [source.path for source in ctx.files.srcs],
        command = _COMMAND,
        inputs = ctx.files.srcs,
        mnemonic = "Join",
        outputs = [out],
    )
    return [DefaultInfo(files = depset([out]))]

joined_source = rule(
    doc = "NAME.cc, which is `srcs` one after the other.",
    implementation = _joined_source_impl,
    attrs = {
        "srcs": attr.label_list(allow_files = [".cc"], mandatory = True),
    },
)
