// A folder for one run's temporary files.
#ifndef FSLOAD_LOADER_SUPERVISION_SCRATCH_FOLDER_H_
#define FSLOAD_LOADER_SUPERVISION_SCRATCH_FOLDER_H_

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

#endif  // FSLOAD_LOADER_SUPERVISION_SCRATCH_FOLDER_H_
