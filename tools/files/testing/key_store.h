// An object store in memory behind a real table of C functions: objects by
// their keys, and no directories but what the plugins of stores make of them.
// Any string is a key, such as "b/d//f", "b/d/../x" or "b/d/a" beside
// "b/d/a/b". It answers as the s3 plugin does, or the gs one.
//
// Tests change the objects directly; the table is called by one thread at a
// time, others wait.
#ifndef FSLOAD_TOOLS_FILES_TESTING_KEY_STORE_H_
#define FSLOAD_TOOLS_FILES_TESTING_KEY_STORE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "fsload/file_system.h"

namespace fsload {

class KeyStore final {
 public:
  explicit KeyStore(std::string scheme) : scheme_(std::move(scheme)) {}
  KeyStore(const KeyStore&) = delete;
  KeyStore& operator=(const KeyStore&) = delete;

  // A file system over this store, which outlives it.
  FileSystemPtr Open();

  // By their keys, each behind its bucket: "b/d/f".
  std::map<std::string, std::string> objects;

  // Whether paths begin with the scheme, as those of stores do.
  bool keeps_host = true;
  // How directories are listed: "a/", and "/" for "d//", as by the gs plugin;
  // else "a", and "d//" is left out, as by the s3 plugin.
  bool lists_slashes = false;
  // Whether create_dir makes an object whose name ends in '/'. Else it makes
  // nothing, and says OK.
  bool makes_markers = false;
  // Whether an object whose name ends in '/' can be made at all.
  bool takes_markers = true;
  // Whether what asks for one object takes "d//" for "d/", as the s3 plugin.
  bool merges_slashes = false;
  // Whether get_children lists directories twice, without any reason.
  bool lists_twice = false;

  // How many calls there were of stat, get_children and those that open, delete
  // and create.
  uint64_t calls() const { return calls_; }

 private:
  friend struct KeyStoreOps;

  const std::string scheme_;
  std::mutex mutex_;
  uint64_t calls_ = 0;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TESTING_KEY_STORE_H_
