#include "loader/loading/loaded_plugins.h"

#include <pthread.h>

namespace fsload {
namespace {

std::recursive_mutex*& LoadMutexPointer() {
  static std::recursive_mutex* mutex = [] {
    pthread_atfork(nullptr, nullptr,
                   [] { LoadMutexPointer() = new std::recursive_mutex; });
    return new std::recursive_mutex;
  }();
  return mutex;
}

}  // namespace

std::vector<std::unique_ptr<LoadedPlugin>>& LoadedPlugins() {
  static auto* plugins = new std::vector<std::unique_ptr<LoadedPlugin>>;
  return *plugins;
}

std::recursive_mutex& LoadMutex() { return *LoadMutexPointer(); }

Findings FindOpenedLater() {
  const std::lock_guard<std::recursive_mutex> lock(LoadMutex());
  Findings found;
  for (const std::unique_ptr<LoadedPlugin>& plugin : LoadedPlugins()) {
    CheckOpened(plugin->looked, nullptr, plugin->trust, found);
    plugin->looked = LoadedAt::Now();
  }
  return found;
}

}  // namespace fsload
