"""What Bazel's own tools load; nothing of it is used."""

_empty = repository_rule(implementation = lambda ctx: ctx.file("BUILD.bazel"))

buildozer_binary = module_extension(
    implementation = lambda _: _empty(name = "buildozer_binary"),
)
