#include "loader/discovery/plugin_records.h"

#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/system/descriptor.h"
#include "core/system/read_all.h"
#include "loader/discovery/source_digest.h"
#include "loader/wheels/cache_folder.h"

namespace fsload {
namespace {

using Json = nlohmann::json;

// Increment it when a reader of the previous format would misread the file.
constexpr int kFormat = 2;

constexpr size_t kMaxBytes = size_t{64} << 20;

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
  for (const char* name : {"device", "number", "bytes", "changed", "turn"}) {
    if (!value.contains(name) || !value[name].is_number_unsigned()) {
      return false;
    }
  }
  for (const char* name : {"path", "options", "problem"}) {
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
  const Descriptor file = OpenToRead(path);
  std::string text;
  if (file.ok() && ReadAll(file.get(), kMaxBytes, text)) records.Parse(text);
  return records;
}

void PluginRecords::Parse(const std::string& text) {
  const Json document = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object() ||
      document.value("format", Json()) != Json(kFormat) ||
      document.value("fsload", Json()) != Json(kSourceDigest)) {
    return;
  }
  for (const Json& value : document.value("files", Json::array())) {
    if (!IsRecord(value)) continue;
    entries_[{value["path"], value["options"]}] = {
        {value["device"], value["number"], value["bytes"], value["changed"]},
        {value["problem"], value["schemes"], value["plugins"]},
        value["turn"]};
    turns_ = std::max(turns_, value["turn"].get<uint64_t>());
  }
}

std::optional<PluginRecord> PluginRecords::Find(
    const std::string& path, const std::string& options) const {
  const auto entry = entries_.find({path, options});
  if (entry == entries_.end() || !IsStill(path, entry->second.file)) {
    return std::nullopt;
  }
  return entry->second.record;
}

std::optional<PluginRecord> PluginRecords::FindGood(
    const std::string& path) const {
  for (auto entry = entries_.lower_bound({path, ""});
       entry != entries_.end() && entry->first.first == path; ++entry) {
    if (entry->second.record.problem.empty() &&
        IsStill(path, entry->second.file)) {
      return entry->second.record;
    }
  }
  return std::nullopt;
}

void PluginRecords::Put(const std::string& path,
                        const std::optional<Identity>& file,
                        PluginRecord record, const std::string& options) {
  if (!file.has_value() || !IsStill(path, *file)) return;
  Entry& entry = entries_[{path, options}];
  if (entry.file == *file && entry.record == record) return;
  entry = {*file, std::move(record), ++turns_};
  changed_ = true;
  DropOldest(path);
}

// Leaves the few newest records of the file.
void PluginRecords::DropOldest(const std::string& path) {
  constexpr int kMaxOfOneFile = 8;
  auto oldest = entries_.lower_bound({path, ""});
  int count = 0;
  for (auto entry = oldest;
       entry != entries_.end() && entry->first.first == path; ++entry) {
    ++count;
    if (entry->second.turn < oldest->second.turn) oldest = entry;
  }
  if (count > kMaxOfOneFile) entries_.erase(oldest);
}

void PluginRecords::Write() {
  const std::string path = PathOfRecords();
  if (!changed_ || path.empty()) return;
  Json files = Json::array();
  for (const auto& [key, entry] : entries_) {
    if (!IsStill(key.first, entry.file)) continue;
    files.push_back({{"path", key.first},
                     {"options", key.second},
                     {"device", entry.file.device},
                     {"number", entry.file.number},
                     {"bytes", entry.file.bytes},
                     {"changed", entry.file.changed},
                     {"turn", entry.turn},
                     {"problem", entry.record.problem},
                     {"schemes", entry.record.schemes},
                     {"plugins", entry.record.plugins}});
  }
  const Json document = {
      {"format", kFormat}, {"fsload", kSourceDigest}, {"files", files}};
  // A path that is not UTF-8 is not found again, which only costs time.
  changed_ = !ReplaceFile(path, document.dump(-1, ' ', /*ensure_ascii=*/true,
                                              Json::error_handler_t::replace))
                  .ok();
}

}  // namespace fsload
