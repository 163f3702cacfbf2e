#include "loader/discovery/plugin_records.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "loader/wheels/cache_folder.h"

namespace fsload {
namespace {

using Json = nlohmann::json;

// Increment it when a reader of the previous format would misread the file.
constexpr int kFormat = 1;

// The file's path; "" if there can be none.
std::string PathOfRecords() {
  const absl::StatusOr<std::string> folder = CacheFolder("plugins");
  return folder.ok() ? *folder + "/records.json" : "";
}

bool IsStrings(const Json& value) {
  if (!value.is_array()) return false;
  for (const Json& each : value) {
    if (!each.is_string()) return false;
  }
  return true;
}

bool IsRecord(const Json& value) {
  if (!value.is_object()) return false;
  for (const char* name : {"device", "number", "bytes", "changed"}) {
    if (!value.contains(name) || !value[name].is_number_unsigned()) {
      return false;
    }
  }
  for (const char* name : {"path", "problem"}) {
    if (!value.contains(name) || !value[name].is_string()) return false;
  }
  for (const char* name : {"schemes", "plugins"}) {
    if (!value.contains(name) || !IsStrings(value[name])) return false;
  }
  return true;
}

}  // namespace

std::optional<PluginRecords::Identity> PluginRecords::Identify(
    const std::string& path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0) return std::nullopt;
  constexpr uint64_t kPerSecond = 1'000'000'000;
  // The change time (ctime), which cannot be set, unlike the modification time.
  return Identity{file.st_dev, file.st_ino, static_cast<uint64_t>(file.st_size),
                  static_cast<uint64_t>(file.st_ctim.tv_sec) * kPerSecond +
                      static_cast<uint64_t>(file.st_ctim.tv_nsec)};
}

bool PluginRecords::IsStill(const std::string& path, const Identity& file) {
  const std::optional<Identity> now = Identify(path);
  return now.has_value() && *now == file;
}

PluginRecords PluginRecords::Read() {
  PluginRecords records;
  const std::string path = PathOfRecords();
  if (path.empty()) return records;
  std::ifstream file(path);
  records.Parse(std::string(std::istreambuf_iterator<char>(file), {}));
  return records;
}

void PluginRecords::Parse(const std::string& text) {
  const Json document = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const std::optional<Identity> own = Identify("/proc/self/exe");
  if (!document.is_object() || !own.has_value() ||
      document.value("format", Json()) != Json(kFormat) ||
      document.value("fsload", Json()) != Json(own->changed)) {
    return;
  }
  for (const Json& value : document.value("files", Json::array())) {
    if (!IsRecord(value)) continue;
    entries_[value["path"]] = {
        {value["device"], value["number"], value["bytes"], value["changed"]},
        {value["problem"], value["schemes"], value["plugins"]}};
  }
}

std::optional<PluginRecord> PluginRecords::Find(const std::string& path) const {
  const auto entry = entries_.find(path);
  if (entry == entries_.end() || !IsStill(path, entry->second.file)) {
    return std::nullopt;
  }
  return entry->second.record;
}

void PluginRecords::Put(const std::string& path, PluginRecord record) {
  const std::optional<Identity> file = Identify(path);
  if (!file.has_value()) return;
  Entry& entry = entries_[path];
  if (entry.file == *file && entry.record == record) return;
  entry = {*file, std::move(record)};
  changed_ = true;
}

void PluginRecords::Write() {
  const std::string path = PathOfRecords();
  const std::optional<Identity> own = Identify("/proc/self/exe");
  if (!changed_ || path.empty() || !own.has_value()) return;
  Json files = Json::array();
  for (const auto& [name, entry] : entries_) {
    if (!IsStill(name, entry.file)) continue;
    files.push_back({{"path", name},
                     {"device", entry.file.device},
                     {"number", entry.file.number},
                     {"bytes", entry.file.bytes},
                     {"changed", entry.file.changed},
                     {"problem", entry.record.problem},
                     {"schemes", entry.record.schemes},
                     {"plugins", entry.record.plugins}});
  }
  const Json document = {
      {"format", kFormat}, {"fsload", own->changed}, {"files", files}};
  // A path that is not UTF-8 is not found again, which only costs time.
  changed_ = !ReplaceFile(path, document.dump(-1, ' ', /*ensure_ascii=*/true,
                                              Json::error_handler_t::replace))
                  .ok();
}

}  // namespace fsload
