// A folder for one run's temporary files.
#pragma once

#include <string>
#include <string_view>

namespace fsload {

// Created below TMPDIR, or /tmp; removed with its contents when this object is
// destroyed.
class ScratchFolder final {
 public:
  ScratchFolder();

  // Creates it below `parent`, or /tmp if that is "".
  explicit ScratchFolder(std::string_view parent);

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
