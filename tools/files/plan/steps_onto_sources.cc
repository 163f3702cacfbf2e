#include "tools/files/plan/steps_onto_sources.h"

#include <unordered_map>
#include <utility>

#include "core/paths/path.h"
#include "tools/files/plan/local_place.h"
#include "tools/files/plan/places.h"

namespace fsload {
namespace {

class Sources {
 public:
  Sources(const std::vector<Step>& files, const OtherSources& others)
      : others_(others) {
    if (files.empty()) return;
    for (const Step& step : files) Add(step.source, step);
    for (const Place& place : others.files) Add(place, files.front());
  }

  bool empty() const { return files_.empty() && others_.directories.empty(); }

  // The URI of the source at the target of `step`; "" if there is none.
  std::string At(const Step& step) {
    const auto file = files_.find(KeyOf(step.target));
    if (file != files_.end() && file->second->uri != step.source.uri) {
      return file->second->uri;
    }
    if (step.replaces && !read_.empty()) {
      const auto read = read_.find(KeyOfFile(step.target));
      if (read != read_.end() && read->second->uri != step.source.uri) {
        return read->second->uri;
      }
    }
    return others_.directories.empty() ? "" : DirectoryAround(step);
  }

 private:
  // Adds `source`, which a step of the kind of `step` reads.
  void Add(const Place& source, const Step& step) {
    if (!MayMeet(source, step.target)) return;
    files_.emplace(KeyOf(source), &source);
    if (step.kind != StepKind::kCopyFile) return;
    // Copying a symlink reads its target.
    const std::string read = KeyBehindLinks(source);
    if (!read.empty()) read_.emplace(read, &source);
  }

  // The one of those directories that contains the target.
  std::string DirectoryAround(const Step& step) {
    const std::string folder(Dirname(step.target.uri));
    const auto [known, is_new] = folders_.emplace(folder, "");
    if (!is_new) return known->second;
    for (const Place& directory : others_.directories) {
      if (CheckOutside(directory, step.target).ok()) continue;
      known->second = directory.uri;
      break;
    }
    return known->second;
  }

  const OtherSources& others_;
  std::unordered_map<std::string, const Place*> files_;  // by KeyOf
  std::unordered_map<std::string, const Place*> read_;   // by KeyBehindLinks
  std::unordered_map<std::string, std::string> folders_;
};

}  // namespace

std::map<size_t, std::string> StepsOntoSources(const std::vector<Step>& files,
                                               const OtherSources& others) {
  std::map<size_t, std::string> found;
  Sources sources(files, others);
  if (sources.empty()) return found;
  for (size_t i = 0; i < files.size(); ++i) {
    std::string source = sources.At(files[i]);
    if (!source.empty()) found.emplace(i, std::move(source));
  }
  return found;
}

}  // namespace fsload
