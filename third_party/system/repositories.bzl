"""The repositories that fsload is built from, all of the operating system."""

load(":arm64.bzl", "arm64_repository")
load(":pkg_config.bzl", "pkg_config_repository")

# Those of absl's libraries that are used directly.
_ABSL = [
    "cleanup",
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
]

# Name, oldest version that fsload is tested with, kind, targets. static: archives,
# so that an executable of ours is one file and plugins do not see absl's symbols.
# headers: nothing is linked. shared: for tests.
_REPOSITORIES = [
    ("cli11", "2.1", "headers", {"cli11": "CLI11"}),
    ("com_google_absl", "20220623", "static", {name: "absl_" + name for name in _ABSL}),
    ("com_google_benchmark", "1.7", "shared", {"benchmark": "benchmark"}),
    ("com_google_googletest", "1.12", "shared", {"gmock_main": "gmock_main"}),
    ("com_googlesource_code_re2", "", "shared", {"re2": "re2"}),
    ("fmt", "9.1", "headers", {"headers": "fmt"}),
    ("libmd", "1.0", "static", {"md": "libmd"}),
    ("libseccomp", "2.5.4", "static", {"seccomp": "libseccomp"}),
    ("minizip", "1.1", "static", {"minizip": "minizip"}),
    ("nlohmann_json", "3.11", "headers", {"json": "nlohmann_json"}),
    ("pugixml", "1.13", "static", {"pugixml": "pugixml"}),
    ("tomlplusplus", "3.3", "headers", {"tomlplusplus": "tomlplusplus"}),
    ("zlib", "1.2.13", "static", {"zlib": "zlib"}),
]

def fsload_repositories():
    """Declares them; a workspace that uses fsload calls this too."""
    arm64_repository(name = "arm64")
    for name, oldest, kind, targets in _REPOSITORIES:
        pkg_config_repository(
            name = name,
            headers_only = kind == "headers",
            oldest = oldest,
            static = kind == "static",
            targets = targets,
        )
