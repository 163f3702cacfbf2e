// An object store in memory behind a real table of C functions: objects by
// their keys, with directories only as the plugins of stores present them. Any
// string is a key, such as "b/d//f", "b/d/../x" or "b/d/a" beside "b/d/a/b". It
// answers as the s3 plugin does, or the gs one.
//
// Tests change the objects directly. Calls through the table are serialized.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "core/tables/plugin_traits.h"
#include "fsload/file_system.h"
#include "fsload/tf_status.h"

namespace fsload {

class KeyStore final {
 public:
  explicit KeyStore(std::string scheme) : scheme_(std::move(scheme)) {}
  KeyStore(const KeyStore&) = delete;
  KeyStore& operator=(const KeyStore&) = delete;

  // Returns a file system over this store, which must outlive it.
  FileSystemPtr Open();

  // By key, with the bucket first: "b/d/f".
  std::map<std::string, std::string> objects;

  // Whether paths begin with the scheme, as stores' paths do.
  bool keeps_host = true;
  // How directories are listed: "a/", and "/" for "d//", as the gs plugin does;
  // otherwise "a", without "d//", as the s3 plugin does.
  bool lists_slashes = false;
  // Whether create_dir makes an object whose name ends in '/'. Otherwise it
  // makes nothing and reports OK.
  bool makes_markers = false;
  // Whether an object whose name ends in '/' can be created.
  bool takes_markers = true;
  // Whether a request for one object treats "d//" as "d/", as the s3 plugin
  // does.
  bool merges_slashes = false;
  // Whether get_children lists directories twice for no reason.
  bool lists_twice = false;

  // How often each URI was translated.
  std::map<std::string, int> translations;

  // What is known of the plugin. Set it before Open.
  PluginTraits traits;

  // What delete_file answers for a key in place of deleting it.
  std::map<std::string, TF_Code> answers;

  // Called before a directory is listed, with its key: its code, unless TF_OK,
  // is the result. May be null.
  std::function<TF_Code(const std::string& key)> before_listing;

  // Returns the number of calls of stat, get_children and operations that open,
  // delete or create.
  uint64_t calls() const { return calls_; }

 private:
  friend struct KeyStoreOps;

  const std::string scheme_;
  std::mutex mutex_;
  uint64_t calls_ = 0;
};

}  // namespace fsload
