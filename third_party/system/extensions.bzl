"""The same repositories for a Bazel that reads MODULE.bazel."""

load("@bazel_tools//tools/build_defs/repo:local.bzl", "new_local_repository")
load(":repositories.bzl", "fsload_repositories")

system = module_extension(
    implementation = lambda _: fsload_repositories(new_local_repository),
)
