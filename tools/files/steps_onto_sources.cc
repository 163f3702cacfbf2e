#include "tools/files/steps_onto_sources.h"

#include <string>
#include <unordered_map>

#include "tools/files/local_place.h"

namespace fsload {
namespace {

bool MayMeet(const Place& source, const Place& target) {
  return source.file_system == target.file_system ||
         (source.tree != nullptr && target.tree != nullptr);
}

}  // namespace

std::map<size_t, size_t> StepsOntoSources(const std::vector<Step>& files) {
  std::unordered_map<std::string, size_t> sources;
  for (size_t i = 0; i < files.size(); ++i) {
    const Step& step = files[i];
    if (MayMeet(step.source, step.target)) sources[KeyOf(step.source)] = i;
  }
  std::map<size_t, size_t> found;
  if (sources.empty()) return found;
  for (size_t i = 0; i < files.size(); ++i) {
    const auto other = sources.find(KeyOf(files[i].target));
    if (other != sources.end() && other->second != i) found[i] = other->second;
  }
  return found;
}

}  // namespace fsload
