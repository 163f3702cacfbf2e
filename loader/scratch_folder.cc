#include "loader/scratch_folder.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "compat/environment.h"

namespace fsload {

ScratchFolder::ScratchFolder() {
  const char* const parent = EnvironmentVariable("TMPDIR");
  path_ = std::string(parent == nullptr ? "/tmp" : parent) + "/fsload.XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) path_.clear();
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace fsload
