#include "loader/supervision/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "compat/environment.h"
#include "loader/supervision/remove_tree.h"

namespace fsload {

ScratchFolder::ScratchFolder() {
  const char* const parent = EnvironmentVariable("TMPDIR");
  // Absolute, as the program may be elsewhere when it is removed.
  std::error_code error;
  const std::filesystem::path folder =
      std::filesystem::absolute(parent == nullptr ? "/tmp" : parent, error);
  if (error) {
    errno = error.value();
    return;
  }
  path_ = folder.string() + "/fsload.XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) path_.clear();
}

ScratchFolder::~ScratchFolder() { Remove(); }

void ScratchFolder::Remove() const {
  if (!path_.empty()) RemoveTree(path_);
}

}  // namespace fsload
