// What was found out about plugins in earlier runs.
#ifndef FSLOAD_LOADER_DISCOVERY_PLUGIN_RECORDS_H_
#define FSLOAD_LOADER_DISCOVERY_PLUGIN_RECORDS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fsload {

// About one file, which is a shared object or a wheel.
struct PluginRecord {
  std::string problem;               // "": there is none
  std::vector<std::string> schemes;  // that a shared object registers
  std::vector<std::string> plugins;  // of a wheel: where they are unpacked

  bool operator==(const PluginRecord& other) const {
    return problem == other.problem && schemes == other.schemes &&
           plugins == other.plugins;
  }
};

// Kept in fsload's cache, by path, size, time of change and number of each
// file. Only saves time: what cannot be read, is damaged, or was written by
// another build of fsload means nothing, and what cannot be written is not.
// One thread at a time; several processes at once lose records at most.
class PluginRecords final {
 public:
  // Those in the cache.
  static PluginRecords Read();

  // What is known of the file at `path` as it is there; none for nothing.
  std::optional<PluginRecord> Find(const std::string& path) const;

  void Put(const std::string& path, PluginRecord record);

  // Writes them to the cache, where something was put into them: those of files
  // that are still as they were.
  void Write();

 private:
  // Which file it was.
  struct Identity {
    uint64_t device = 0, number = 0, bytes = 0, changed = 0;
    bool operator==(const Identity& other) const {
      return device == other.device && number == other.number &&
             bytes == other.bytes && changed == other.changed;
    }
  };
  struct Entry {
    Identity file;
    PluginRecord record;
  };

  static std::optional<Identity> Identify(const std::string& path);
  static bool IsStill(const std::string& path, const Identity& file);
  void Parse(const std::string& text);

  std::map<std::string, Entry> entries_;
  bool changed_ = false;
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_DISCOVERY_PLUGIN_RECORDS_H_
