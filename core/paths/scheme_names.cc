#include "core/paths/scheme_names.h"

#include <atomic>
#include <string>

#include "core/system/of_process.h"
#include "fsload/internal/mutex.h"

namespace fsload {
namespace {

// Never freed, so that readers need no lock.
struct SchemeName {
  const std::string name;
  const std::string scheme;
  const SchemeName* const next;
};

std::atomic<const SchemeName*> newest{nullptr};

const SchemeName* Find(std::string_view name) {
  // Acquire: sees what was written before the name was published.
  const SchemeName* each = newest.load(std::memory_order_acquire);
  while (each != nullptr && each->name != name) each = each->next;
  return each;
}

}  // namespace

bool AddSchemeName(std::string_view name, std::string_view scheme) {
  static auto* const mutex = new OfProcess<Mutex>;
  const MutexLock lock(mutex->get());
  if (const SchemeName* const found = Find(name)) {
    return found->scheme == scheme;
  }
  if (name == scheme) return true;
  // Release: publishes a whole name.
  newest.store(new SchemeName{std::string(name), std::string(scheme),
                              newest.load(std::memory_order_relaxed)},
               std::memory_order_release);
  return true;
}

std::string_view SchemeInPlugin(std::string_view name) {
  const SchemeName* const found = Find(name);
  return found == nullptr ? name : found->scheme;
}

bool IsOfWebServers(std::string_view name) {
  const std::string_view scheme = SchemeInPlugin(name);
  return scheme == "http" || scheme == "https";
}

}  // namespace fsload
