"""What the BUILD files of the rooms have in common."""

def room(users = []):
    """Declares :users and, for the tests of documents, :test_sources.

    Args:
      users: the packages of the same layer that may use this one.
    """
    layer = native.package_name().split("/")[0]
    native.package_group(name = "users", packages = users)
    native.filegroup(
        name = "test_sources",
        srcs = native.glob(["*_test*.cc"]),
        visibility = ["//{}:__pkg__".format(layer)],
    )
