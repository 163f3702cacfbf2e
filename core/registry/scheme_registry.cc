#include "fsload/scheme_registry.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/strings/str_join.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/uri.h"
#include "core/registry/pinned.h"
#include "core/registry/scheme_map.h"
#include "core/threads/cleanup_notice.h"
#include "core/threads/hazard_pointer.h"
#include "core/threads/steady_now.h"
#include "fsload/internal/call_scope.h"
#include "fsload/internal/mutex.h"
#include "third_party/fmt/format.h"

namespace fsload {

namespace {

// A scheme as messages show it.
std::string Shown(std::string_view scheme) {
  return scheme.empty() ? "'' (local paths)" : Format("'{}'", scheme);
}

// "s3://", or "local paths".
std::string Served(std::string_view scheme) {
  return scheme.empty() ? "local paths" : Format("{}://", scheme);
}

absl::Status Taken(const FileSystem& held, const FileSystem& wanted) {
  return AlreadyExistsError(
      "scheme {} is already served by '{}', so '{}' cannot register it; retire "
      "the scheme first, or load only one of the two",
      Shown(wanted.scheme()), held.plugin(), wanted.plugin());
}

absl::Status StillInUse(std::string_view scheme, absl::Duration timeout) {
  return DeadlineExceededError(
      "scheme {} is retired, but still in use after {}: its last user cleans "
      "it up",
      Shown(scheme), absl::FormatDuration(timeout));
}

}  // namespace

std::atomic<SchemeRegistry*> SchemeRegistry::default_{nullptr};

ABSL_ATTRIBUTE_NOINLINE SchemeRegistry& SchemeRegistry::MakeDefault() {
  static SchemeRegistry* const registry = new SchemeRegistry;
  // Release, and Default() acquires: the registry is made before it is found.
  default_.store(registry, std::memory_order_release);
  return *registry;
}

SchemeRegistry::SchemeRegistry() : map_(new Map) {}

SchemeRegistry::~SchemeRegistry() {
  const std::unique_ptr<const Map> map(map_.load());
  for (const auto& row : map->rows()) delete row.second;
}

ABSL_ATTRIBUTE_NOINLINE void SchemeRegistry::FreeUnused(const Entry* entry) {
  if (!MayBeRetired(entry)) return;
  RetiredEntries unused;  // freed without the lock
  const MutexLock lock(HazardPointer::WriterMutex());
  unused = TakeUnused();
}

void SchemeRegistry::NoteRetired(const Entry* entry) {
  for (std::atomic<const Entry*>& noted : noted_) {
    if (noted.load() != nullptr) continue;
    noted.store(entry);
    return;
  }
  not_all_noted_.store(true);
}

bool SchemeRegistry::MayBeRetired(const Entry* entry) const {
  if (entry == nullptr) return false;
  if (not_all_noted_.load()) return true;
  for (const std::atomic<const Entry*>& noted : noted_) {
    if (noted.load() == entry) return true;
  }
  return false;
}

absl::Status SchemeRegistry::Register(
    absl::Span<const FileSystemPtr> file_systems) {
  {
    const MutexLock lock(HazardPointer::WriterMutex());
    const Map* const old = map_.load();
    auto map = std::make_unique<Map>(*old);
    std::vector<std::unique_ptr<Entry>> entries;
    for (const FileSystemPtr& file_system : file_systems) {
      const Entry* const held = map->Find(file_system->scheme());
      if (held != nullptr) return Taken(*held->file_system, *file_system);
      entries.push_back(std::make_unique<Entry>(Entry{file_system}));
      map->Insert(file_system->scheme(), entries.back().get());
    }
    for (std::unique_ptr<Entry>& entry : entries) {
      static_cast<void>(entry.release());  // the map has it
    }
    Publish(std::move(map));
  }
  return absl::OkStatus();
}

absl::StatusOr<FileSystemPtr> SchemeRegistry::Find(std::string_view scheme) {
  const Pinned pinned(*this, scheme);
  if (!pinned) return NoSuchScheme(scheme);
  return FileSystemPtr(pinned.get());
}

absl::StatusOr<FileSystemPtr> SchemeRegistry::Resolve(std::string_view uri) {
  const Pinned pinned(*this, SchemeOf(uri));
  if (!pinned) return NothingServes(uri);
  return FileSystemPtr(pinned.get());
}

std::vector<std::string> SchemeRegistry::Schemes() const {
  HazardPointer slot;
  std::vector<std::string> schemes;
  for (const auto& row : slot.Protect(map_)->rows()) {
    schemes.push_back(row.first);
  }
  return schemes;
}

absl::Status SchemeRegistry::NoSuchScheme(std::string_view scheme) const {
  const std::vector<std::string> schemes = Schemes();
  const auto served = [](std::string* out, const std::string& each) {
    out->append(Served(each));
  };
  return NotFoundError(
      "no file system for {} (registered: {})", Served(scheme),
      schemes.empty() ? "none" : absl::StrJoin(schemes, ", ", served));
}

absl::Status SchemeRegistry::NothingServes(std::string_view uri) const {
  return Prepend(uri, NoSuchScheme(SchemeOf(uri)));
}

bool SchemeRegistry::IsInUseByThisThread(const Entry& entry) {
  return HazardPointer::IsHeldByThisThread(&entry) ||
         CallScope::Contains(TablesOf(*entry.file_system).status);
}

absl::StatusOr<std::shared_ptr<const CleanupNotice>>
SchemeRegistry::TakeOutOfUse(std::string_view scheme) {
  std::shared_ptr<const CleanupNotice> notice;
  RetiredEntries retired;
  RetiredEntries unused;
  {
    const MutexLock lock(HazardPointer::WriterMutex());
    const Map* const old = map_.load();
    const Entry* const entry = old->Find(scheme);
    if (entry != nullptr && IsInUseByThisThread(*entry)) {
      return FailedPreconditionError(
          "scheme {} cannot be retired from inside one of its own calls: that "
          "would deadlock",
          Shown(scheme));
    }
    if (entry != nullptr) {
      auto map = std::make_unique<Map>(*old);
      map->Erase(scheme);
      retired.emplace_back();
      notice = PluginFileSystem::Of(*entry->file_system).cleanup_notice();
      // From here on nothing may fail: the entry has no other owner.
      Publish(std::move(map));
      retired.front().reset(entry);
      retired_entries_.splice(retired_entries_.end(), retired);
      NoteRetired(entry);
      pending_.store(true);
      unused = TakeUnused();
    }
  }
  if (notice == nullptr) return NoSuchScheme(scheme);
  return notice;
}

absl::Status SchemeRegistry::Retire(std::string_view scheme) {
  return TakeOutOfUse(scheme).status();
}

absl::Status SchemeRegistry::RetireAndWait(std::string_view scheme,
                                           absl::Duration timeout) {
  const auto notice = TakeOutOfUse(scheme);
  if (!notice.ok()) return notice.status();
  return (*notice)->WaitFor(timeout) ? absl::OkStatus()
                                     : StillInUse(scheme, timeout);
}

absl::Status SchemeRegistry::RetireAll(absl::Duration timeout) {
  const absl::Time end = SteadyNow() + timeout;
  absl::Status status;
  std::map<std::string, std::shared_ptr<const CleanupNotice>> notices;
  for (const std::string& scheme : Schemes()) {
    auto notice = TakeOutOfUse(scheme);
    if (notice.ok()) {
      notices.emplace(scheme, *std::move(notice));
    } else if (!absl::IsNotFound(notice.status())) {
      // Otherwise another thread was faster.
      status.Update(notice.status());
    }
  }
  for (const auto& [scheme, notice] : notices) {
    if (!notice->WaitFor(std::max(end - SteadyNow(), absl::ZeroDuration()))) {
      status.Update(StillInUse(scheme, timeout));
    }
  }
  return status;
}

void SchemeRegistry::Publish(std::unique_ptr<const Map> map) {
  const std::unique_ptr<const Map> old(map_.exchange(map.release()));
  HazardPointer::Fence();
  // Sleeps, so that a lookup can finish on any processor and at any priority.
  while (HazardPointer::IsHeld(old.get())) {
    std::this_thread::sleep_for(std::chrono::microseconds(10));
  }
}

SchemeRegistry::RetiredEntries SchemeRegistry::TakeUnused() {
  HazardPointer::Fence();
  RetiredEntries unused;
  for (auto next = retired_entries_.begin(); next != retired_entries_.end();) {
    const auto each = next++;
    // No map points to a retired entry: its users have it in a slot.
    if (HazardPointer::IsHeld(each->get())) continue;
    for (std::atomic<const Entry*>& noted : noted_) {
      if (noted.load() == each->get()) noted.store(nullptr);
    }
    unused.splice(unused.end(), retired_entries_, each);
  }
  if (retired_entries_.empty()) {
    not_all_noted_.store(false);
    pending_.store(false);
  }
  return unused;
}

}  // namespace fsload
