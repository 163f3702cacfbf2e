#include "loader/supervision/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>

#include "compat/environment.h"
#include "loader/supervision/remove_tree.h"

namespace fsload {
namespace {

std::string_view FolderOfTemporaryFiles() {
  const char* const folder = EnvironmentVariable("TMPDIR");
  return folder == nullptr ? "" : folder;
}

}  // namespace

ScratchFolder::ScratchFolder() : ScratchFolder(FolderOfTemporaryFiles()) {}

ScratchFolder::ScratchFolder(std::string_view parent) {
  // Absolute, as the program may be elsewhere when it is removed.
  std::error_code error;
  const std::filesystem::path folder =
      std::filesystem::absolute(parent.empty() ? "/tmp" : parent, error);
  if (error) {
    errno = error.value();
    return;
  }
  path_ = folder.string() + "/fsload.XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) path_.clear();
}

ScratchFolder::~ScratchFolder() { Remove(); }

void ScratchFolder::Remove() const {
  try {
    if (!path_.empty()) RemoveTree(path_);
  } catch (const std::bad_alloc&) {
    // A destructor calls this: what is there stays.
  }
}

}  // namespace fsload
