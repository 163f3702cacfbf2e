#include "loader/loading/loaded_plugins.h"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "core/threads/hazard_pointer.h"

namespace fsload {
namespace {

thread_local bool is_held_for_fork = false;

std::recursive_timed_mutex*& LoadMutexPointer() {
  static std::recursive_timed_mutex* mutex = [] {
    // What is registered last runs first before a fork, and loads take the
    // writers' mutex when they have this one.
    static_cast<void>(HazardPointer::WriterMutex());
    pthread_atfork(
        [] { is_held_for_fork = LoadMutex().try_lock_for(kMaxForkWait); },
        [] {
          if (is_held_for_fork) LoadMutex().unlock();
        },
        [] { LoadMutexPointer() = new std::recursive_timed_mutex; });
    return new std::recursive_timed_mutex;
  }();
  return mutex;
}

}  // namespace

std::vector<std::unique_ptr<LoadedPlugin>>& LoadedPlugins() {
  static auto* plugins = new std::vector<std::unique_ptr<LoadedPlugin>>;
  return *plugins;
}

std::recursive_timed_mutex& LoadMutex() { return *LoadMutexPointer(); }

void CheckOpenedSince(LoadedPlugin& plugin, Findings& findings) {
  // First: a thread of the plugin may open another one meanwhile, which is then
  // found twice.
  LoadedLibraries now = LoadedLibraries::Now();
  std::vector<OpenedLibrary> found = FindOpened(plugin.looked, nullptr);
  plugin.looked = std::move(now);
  std::vector<OpenedLibrary>& all = plugin.library->opened;
  const auto is_known = [&all](const OpenedLibrary& library) {
    return std::any_of(all.begin(), all.end(), [&](const OpenedLibrary& each) {
      return each.file == library.file;
    });
  };
  found.erase(std::remove_if(found.begin(), found.end(), is_known),
              found.end());
  CheckOpened(found, plugin.trust, findings);
  all.insert(all.end(), found.begin(), found.end());
}

Findings FindOpenedLater() {
  const LoadLock lock;
  Findings found;
  for (const std::unique_ptr<LoadedPlugin>& plugin : LoadedPlugins()) {
    CheckOpenedSince(*plugin, found);
  }
  return found;
}

}  // namespace fsload
