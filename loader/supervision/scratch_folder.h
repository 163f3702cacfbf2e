// A folder for one run's temporary files.
#pragma once

#include <string>

namespace fsload {

// Created below TMPDIR, or /tmp; removed with its contents when this object is
// destroyed.
class ScratchFolder final {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  // Returns the path; empty if none could be created.
  const std::string& path() const { return path_; }

  // Removes it now.
  void Remove() const;

 private:
  std::string path_;
};

}  // namespace fsload
