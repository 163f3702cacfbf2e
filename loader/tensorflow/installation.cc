#include "loader/tensorflow/installation.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "loader/discovery/python_folders.h"
#include "loader/static_pass/plugin_file.h"
#include "loader/tensorflow/dist_info.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;

// The packages that install the folder `tensorflow`.
constexpr std::string_view kPackages[] = {
    "tensorflow",         "tensorflow-cpu",   "tensorflow-gpu",
    "tensorflow-intel",   "tensorflow-rocm",  "tensorflow-aarch64",
    "tensorflow-cpu-aws", "intel-tensorflow", "tf-nightly",
    "tf-nightly-cpu",
};

// What `import tensorflow` opens for all, in the order of preference: newer
// releases have the second, all the third.
constexpr std::string_view kLibraries[] = {
    "python/_pywrap_tensorflow_internal.so",
    "libtensorflow_cc.so.2",
};

// The library that plugins name; "" if the folder has none.
std::string FrameworkIn(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (IsFramework(name)) return entry->path();
  }
  return "";
}

// A wheel that is called tensorflow may only require the one with the library.
void AddPackage(const std::string& packages,
                TensorFlowInstallation& installation) {
  installation.package = "tensorflow";
  for (const DistInfo& info : DistInfosIn(packages)) {
    const bool is_known = std::find(std::begin(kPackages), std::end(kPackages),
                                    info.package) != std::end(kPackages);
    if (is_known) {
      installation.package = info.package;
      installation.version = info.version;
    }
  }
}

// The TensorFlow in a folder of Python packages.
std::optional<TensorFlowInstallation> FindIn(const fs::path& packages) {
  const fs::path folder = packages / "tensorflow";
  TensorFlowInstallation installation;
  installation.library = FrameworkIn(folder);
  if (installation.library.empty()) return std::nullopt;
  installation.folder = folder;
  for (const std::string_view name : kLibraries) {
    std::error_code ignored;
    const fs::path library = folder / name;
    if (!fs::exists(library, ignored)) continue;
    installation.library = library;
    break;
  }
  AddPackage(packages, installation);
  return installation;
}

}  // namespace

std::optional<TensorFlowInstallation> FindTensorFlow(
    const std::string& plugin) {
  std::vector<std::string> folders;
  std::error_code ignored;
  fs::path folder = fs::absolute(plugin, ignored).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    folders.push_back(folder);
  }
  for (const std::string& each : FoldersOfPython()) folders.push_back(each);
  for (const std::string& each : folders) {
    auto installation = FindIn(each);
    if (installation.has_value()) return installation;
  }
  return std::nullopt;
}

}  // namespace fsload
