#include "tools/files/plan/steps_onto_sources.h"

#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/paths/path.h"
#include "tools/files/locations/local_location.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/plan/fingerprints.h"

namespace fsload {
namespace {

using UrisByKey = std::unordered_map<std::string, std::string>;

// The URI by `key`, unless it is that of `step`'s own source; else "".
std::string OtherAt(const UrisByKey& uris, const std::string& key,
                    const Step& step) {
  const auto found = uris.find(key);
  return found == uris.end() || found->second == step.source.uri
             ? ""
             : found->second;
}

class Sources {
 public:
  Sources(const StepList& steps, const OtherSources& others)
      : steps_(steps), others_(others) {
    CommonKeys locations;  // by KeyOf
    CommonKeys read;       // by KeyBehindLinks
    bool any = false;
    const bool replaces = AnyReplaces();
    ForEachSource([&](const Location& source, bool copies) {
      any = true;
      locations.AddFirst(KeyOf(source));
      // Copying a symlink reads its target.
      if (copies && replaces) read.AddFirst(KeyBehindLinks(source));
    });
    if (any) AddTargets(locations, read);
    if (!locations.empty() || !read.empty()) FindUris(locations, read);
  }

  bool empty() const {
    return uris_.empty() && uris_read_.empty() && others_.directories.empty();
  }

  // The URI of the source at the target of `step`; "" if there is none.
  std::string At(const Step& step) {
    if (!uris_.empty()) {
      std::string uri = OtherAt(uris_, KeyOf(step.target), step);
      if (!uri.empty()) return uri;
    }
    if (step.replaces && !uris_read_.empty()) {
      std::string uri = OtherAt(uris_read_, KeyOfFile(step.target), step);
      if (!uri.empty()) return uri;
    }
    return others_.directories.empty() ? "" : DirectoryAround(step);
  }

 private:
  using Visit = std::function<void(const Location& source, bool copies)>;

  // Visits the sources that may be where something is written.
  void ForEachSource(const Visit& visit) const {
    std::optional<Step> first;
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (!IsFileKind(steps_.KindOf(i))) continue;
      const Step step = steps_[i];
      if (!first.has_value()) first = step;
      if (MayMeet(step.source, step.target)) {
        visit(step.source, step.kind == StepKind::kCopyFile);
      }
    }
    if (!first.has_value()) return;
    for (const Step& other : others_.files) {
      if (MayMeet(other.source, first->target)) {
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

  void AddTargets(CommonKeys& locations, CommonKeys& read) const {
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (!IsFileKind(steps_.KindOf(i))) continue;
      const Location target = steps_[i].target;
      locations.AddSecond(KeyOf(target));
      if (steps_.Replaces(i)) read.AddSecond(KeyOfFile(target));
    }
  }

  // Keeps the URIs only of sources at which there is a target.
  void FindUris(const CommonKeys& locations, const CommonKeys& read) {
    const auto add = [](const CommonKeys& common, const std::string& key,
                        const Location& source, UrisByKey& uris) {
      if (common.Has(key)) uris.emplace(key, source.uri);
    };
    ForEachSource([&](const Location& source, bool copies) {
      if (!locations.empty()) add(locations, KeyOf(source), source, uris_);
      if (copies && !read.empty()) {
        add(read, KeyBehindLinks(source), source, uris_read_);
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
  UrisByKey uris_;       // by KeyOf
  UrisByKey uris_read_;  // by KeyBehindLinks
  UrisByKey folders_;
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
