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
  SchemeName* const next;
  std::atomic<bool> is_used{true};
};

using SchemeNames = std::atomic<SchemeName*>;

SchemeNames of_others{nullptr};
// Most names: SchemeInPlugin does not look at them.
SchemeNames of_themselves{nullptr};

SchemeName* Find(std::string_view name, const SchemeNames& names) {
  // Acquire: sees what was written before the name was published.
  SchemeName* each = names.load(std::memory_order_acquire);
  while (each != nullptr && !(each->name == name && each->is_used)) {
    each = each->next;
  }
  return each;
}

SchemeName* Find(std::string_view name) {
  SchemeName* const found = Find(name, of_others);
  return found != nullptr ? found : Find(name, of_themselves);
}

Mutex& WritersMutex() {
  static auto* const mutex = new OfProcess<Mutex>;
  return mutex->get();
}

}  // namespace

bool AddSchemeName(std::string_view name, std::string_view scheme) {
  const MutexLock lock(WritersMutex());
  if (const SchemeName* const found = Find(name)) {
    return found->scheme == scheme;
  }
  SchemeNames& names = name == scheme ? of_themselves : of_others;
  SchemeName* const newest = names.load();
  for (SchemeName* each = newest; each != nullptr; each = each->next) {
    if (each->name != name || each->scheme != scheme) continue;
    each->is_used = true;
    return true;
  }
  // Release: publishes a whole name.
  names.store(new SchemeName{std::string(name), std::string(scheme), newest},
              std::memory_order_release);
  return true;
}

bool HasSchemeName(std::string_view name) { return Find(name) != nullptr; }

void RemoveSchemeName(std::string_view name) {
  const MutexLock lock(WritersMutex());
  SchemeName* const found = Find(name);
  if (found != nullptr) found->is_used = false;
}

std::string_view SchemeInPlugin(std::string_view name) {
  const SchemeName* const found = Find(name, of_others);
  return found == nullptr ? name : found->scheme;
}

bool IsOfWebServers(std::string_view name) {
  const std::string_view scheme = SchemeInPlugin(name);
  return scheme == "http" || scheme == "https";
}

}  // namespace fsload
