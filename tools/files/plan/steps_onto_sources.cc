#include "tools/files/plan/steps_onto_sources.h"

#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/paths/path.h"
#include "tools/files/locations/location_keys.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/locations/shared_storage.h"
#include "tools/files/plan/common_keys.h"

namespace fsload {
namespace {

// Sources of several stores may have one key.
using SourcesByKey = std::unordered_multimap<std::string, Location>;

class Sources {
 public:
  Sources(const StepList& steps, const OtherSources& others)
      : steps_(steps), others_(others) {
    CommonKeys locations;  // by KeyOf
    CommonKeys read;       // by KeyBehindLinks
    FileSystemPtr first;
    bool mixed = false;  // the sources are of several file systems
    const bool replaces = AnyReplaces();
    ForEachSource([&](const Location& source, bool copies) {
      if (first == nullptr) first = source.file_system;
      mixed = mixed || source.file_system != first;
      locations.AddFirst(keys_.KeyOf(source));
      // Copying a symlink reads its target.
      if (copies && replaces) read.AddFirst(keys_.KeyBehindLinks(source));
    });
    if (first != nullptr) AddTargets(mixed, locations, read);
    if (!locations.empty() || !read.empty()) FindSources(locations, read);
  }

  bool empty() const {
    return sources_.empty() && read_.empty() && others_.directories.empty();
  }

  // The URI of the source at the target of `step`; "" if there is none.
  std::string At(const Step& step) {
    if (!sources_.empty()) {
      std::string uri = OtherAt(sources_, keys_.KeyOf(step.target), step);
      if (!uri.empty()) return uri;
    }
    if (step.replaces && !read_.empty()) {
      std::string uri = OtherAt(read_, keys_.KeyOfFile(step.target), step);
      if (!uri.empty()) return uri;
    }
    return others_.directories.empty() ? "" : DirectoryAround(step);
  }

 private:
  using Visit = std::function<void(const Location& source, bool copies)>;

  // Returns the URI of the source by `key`, unless it is the step's own, or has
  // that key in another store; else "".
  std::string OtherAt(const SourcesByKey& sources, const std::string& key,
                      const Step& step) {
    const auto [begin, end] = sources.equal_range(key);
    for (auto each = begin; each != end; ++each) {
      const Location& source = each->second;
      if (source.uri == step.source.uri) continue;
      if (source.file_system == step.target.file_system ||
          keys_.IsLocal(source)) {
        return source.uri;
      }
      const absl::StatusOr<Evidence> found = IsAlsoIn(source, step.target);
      if (!found.ok() || *found != Evidence::kDifferent) return source.uri;
    }
    return "";
  }

  // Visits the sources that may be where something is written.
  void ForEachSource(const Visit& visit) {
    std::optional<Step> first;
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (!IsFileKind(steps_.KindOf(i))) continue;
      const Step step = steps_[i];
      if (!first.has_value()) first = step;
      if (keys_.MayMeet(step.source, step.target)) {
        visit(step.source, step.kind == StepKind::kCopyFile);
      }
    }
    if (!first.has_value()) return;
    for (const Step& other : others_.files) {
      if (keys_.MayMeet(other.source, first->target)) {
        visit(other.source, first->kind == StepKind::kCopyFile);
      }
    }
  }

  bool AnyReplaces() const {
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (steps_.Replaces(i)) return true;
    }
    return false;
  }

  void AddTargets(bool mixed, CommonKeys& locations, CommonKeys& read) {
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (!IsFileKind(steps_.KindOf(i))) continue;
      const Step step = steps_[i];
      const Location& target = step.target;
      const std::string key = keys_.KeyOf(target);
      // A mirror has the keys of its own sources.
      if (mixed || target.file_system == step.source.file_system ||
          key != keys_.KeyOf(step.source)) {
        locations.AddSecond(key);
      }
      if (steps_.Replaces(i)) read.AddSecond(keys_.KeyOfFile(target));
    }
  }

  // Keeps only the sources at which there is a target.
  void FindSources(const CommonKeys& locations, const CommonKeys& read) {
    const auto add = [](const CommonKeys& common, const std::string& key,
                        const Location& source, SourcesByKey& sources) {
      if (common.Has(key)) sources.emplace(key, source);
    };
    ForEachSource([&](const Location& source, bool copies) {
      if (!locations.empty()) {
        add(locations, keys_.KeyOf(source), source, sources_);
      }
      if (copies && !read.empty()) {
        add(read, keys_.KeyBehindLinks(source), source, read_);
      }
    });
  }

  // The one of those directories that contains the target.
  std::string DirectoryAround(const Step& step) {
    const std::string folder(Dirname(step.target.uri));
    const auto [known, is_new] = folders_.emplace(folder, "");
    if (!is_new) return known->second;
    for (const Location& directory : others_.directories) {
      if (CheckOutside(directory, step.target).ok()) continue;
      known->second = directory.uri;
      break;
    }
    return known->second;
  }

  const StepList& steps_;
  const OtherSources& others_;
  LocationKeys keys_;
  SourcesByKey sources_;  // by KeyOf
  SourcesByKey read_;     // by KeyBehindLinks
  std::unordered_map<std::string, std::string> folders_;
};

}  // namespace

std::map<size_t, std::string> StepsOntoSources(const StepList& steps,
                                               const OtherSources& others) {
  std::map<size_t, std::string> found;
  Sources sources(steps, others);
  if (sources.empty()) return found;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (!IsFileKind(steps.KindOf(i))) continue;
    std::string source = sources.At(steps[i]);
    if (!source.empty()) found.emplace(i, std::move(source));
  }
  return found;
}

}  // namespace fsload
