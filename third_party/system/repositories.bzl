"""The repositories that fsload is built from, all of the operating system."""

load(":pkg_config.bzl", "pkg_config_repository")

def fsload_repositories(new_local_repository = None):
    """Declares them; a workspace that uses fsload calls this too.

    Args:
      new_local_repository: the repository rule of that name, where `native` has
        none: in a module extension.
    """
    if not new_local_repository:
        new_local_repository = native.new_local_repository

    # Static archives: an executable of ours is one file, and absl's symbols stay out
    # of the scope in which plugins look theirs up.
    pkg_config_repository(
        name = "com_google_absl",
        prefix = "absl_",
        static = True,
        targets = [
            "flat_hash_map",
            "flat_hash_set",
            "hash",
            "inlined_vector",
            "span",
            "status",
            "statusor",
            "str_format",
            "strings",
            "time",
        ],
    )

    pkg_config_repository(
        name = "libmd",
        prefix = "lib",
        static = True,
        targets = ["md"],
    )

    pkg_config_repository(
        name = "minizip",
        static = True,
        targets = ["minizip"],
    )

    pkg_config_repository(
        name = "pugixml",
        static = True,
        targets = ["pugixml"],
    )

    pkg_config_repository(
        name = "zlib",
        static = True,
        targets = ["zlib"],
    )

    pkg_config_repository(
        name = "libseccomp",
        prefix = "lib",
        static = True,
        targets = ["seccomp"],
    )

    pkg_config_repository(
        name = "com_google_googletest",
        targets = ["gmock_main"],
    )

    pkg_config_repository(
        name = "com_google_benchmark",
        targets = ["benchmark"],
    )

    # Only for tests.
    pkg_config_repository(
        name = "com_googlesource_code_re2",
        targets = ["re2"],
    )

    new_local_repository(
        name = "fmt",
        build_file = "@fsload//third_party/system:fmt.BUILD",
        path = "/usr/include/fmt",
    )

    new_local_repository(
        name = "cli11",
        build_file = "@fsload//third_party/system:cli11.BUILD",
        path = "/usr/include/CLI",
    )

    new_local_repository(
        name = "nlohmann_json",
        build_file = "@fsload//third_party/system:nlohmann_json.BUILD",
        path = "/usr/include/nlohmann",
    )
