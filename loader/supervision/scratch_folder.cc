#include "loader/supervision/scratch_folder.h"

#include <cstdlib>
#include <string>

#include "compat/environment.h"
#include "loader/supervision/remove_tree.h"

namespace fsload {

ScratchFolder::ScratchFolder() {
  const char* const parent = EnvironmentVariable("TMPDIR");
  path_ = std::string(parent == nullptr ? "/tmp" : parent) + "/fsload.XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) path_.clear();
}

ScratchFolder::~ScratchFolder() { Remove(); }

void ScratchFolder::Remove() const {
  if (!path_.empty()) RemoveTree(path_);
}

}  // namespace fsload
