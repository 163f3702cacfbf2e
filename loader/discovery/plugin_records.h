// What earlier runs found out about plugins.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fsload {

// The record of one file, a shared object or a wheel.
struct PluginRecord {
  std::string problem;               // "": none
  std::vector<std::string> schemes;  // registered by a shared object
  std::vector<std::string> plugins;  // of a wheel: where they are unpacked

  bool operator==(const PluginRecord& other) const {
    return problem == other.problem && schemes == other.schemes &&
           plugins == other.plugins;
  }
};

// Kept in fsload's cache, by path, size, modification time and inode number of
// each file, for all programs with an fsload of the same sources. Only saves
// time: a record that cannot be read, is damaged, or was written by another
// fsload is ignored, and failures to write are too. One thread at a time;
// several processes at once at worst lose records.
class PluginRecords final {
 public:
  // Returns the records in the cache.
  static PluginRecords Read();

  // Returns what is known of the file at `path` in its current state, if
  // anything. `options` are those of the load on which that depends, in any
  // form.
  std::optional<PluginRecord> Find(const std::string& path,
                                   const std::string& options = "") const;

  // Does the same with any options, if it has no problem with them.
  std::optional<PluginRecord> FindGood(const std::string& path) const;

  // What tells a file from another one at its path.
  struct Identity {
    uint64_t device = 0, number = 0, bytes = 0, changed = 0;
    bool operator==(const Identity& other) const {
      return device == other.device && number == other.number &&
             bytes == other.bytes && changed == other.changed;
    }
  };

  // Returns none if there is no such file.
  static std::optional<Identity> Identify(const std::string& path);

  // Keeps the record of `file`, identified before it was read, unless another
  // one has taken its place; of each file only the records that were put last:
  // there may be any number of options.
  void Put(const std::string& path, const std::optional<Identity>& file,
           PluginRecord record, const std::string& options = "");

  // Writes the records of unchanged files to the cache, if any were added.
  void Write();

 private:
  struct Entry {
    Identity file;
    PluginRecord record;
    uint64_t turn = 0;  // the order in which they were put
  };

  static bool IsStill(const std::string& path, const Identity& file);
  void Parse(const std::string& text);

  void DropOldest(const std::string& path);

  using Key = std::pair<std::string, std::string>;  // path and options
  std::map<Key, Entry> entries_;
  uint64_t turns_ = 0;
  bool changed_ = false;
};

}  // namespace fsload
