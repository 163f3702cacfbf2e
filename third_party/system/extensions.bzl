"""The same repositories for a Bazel that reads MODULE.bazel."""

load(":repositories.bzl", "fsload_repositories")

system = module_extension(
    implementation = lambda _: fsload_repositories(),
)
