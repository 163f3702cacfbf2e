// Which file system serves which URI scheme.
//
// Looking up costs no lock and touches nothing that other threads write to.
// Changes are rare and copy the map; the end of each call on a scheme that was
// retired meanwhile looks, under a lock, whether it is the last. May be used
// from any thread; destroyed only when no thread uses it any more.
#ifndef FSLOAD_SCHEME_REGISTRY_H_
#define FSLOAD_SCHEME_REGISTRY_H_

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "fsload/file_system.h"

namespace fsload {

class CleanupNotice;
template <typename T>
class SchemeMap;

class SchemeRegistry final {
 public:
  // The one that a program uses unless it makes its own. Never destroyed: its
  // file systems are cleaned up by Retire, not at exit.
  static SchemeRegistry& Default() {
    SchemeRegistry* const made = default_.load(std::memory_order_acquire);
    return ABSL_PREDICT_TRUE(made != nullptr) ? *made : MakeDefault();
  }

  SchemeRegistry();
  ~SchemeRegistry();
  SchemeRegistry(const SchemeRegistry&) = delete;
  SchemeRegistry& operator=(const SchemeRegistry&) = delete;

  // Adds each file system under its scheme ("" is that of local paths), all of
  // them or none. ALREADY_EXISTS for a scheme that is taken, naming both
  // owners.
  absl::Status Register(absl::Span<const FileSystemPtr> file_systems);

  // The file system for `scheme`, to keep. NOT_FOUND, naming the schemes there
  // are.
  absl::StatusOr<FileSystemPtr> Find(std::string_view scheme);

  // The file system for the scheme of `uri`, to keep. Fails as Find.
  absl::StatusOr<FileSystemPtr> Resolve(std::string_view uri);

  // All schemes, sorted.
  std::vector<std::string> Schemes() const;

  // Takes `scheme` out of use. Its file system is cleaned up at once, or by the
  // last to let go of it: an open file, a running call. NOT_FOUND for an
  // unknown scheme; FAILED_PRECONDITION, with nothing done, from inside a call
  // by URI of that very scheme.
  absl::Status Retire(std::string_view scheme);

  // The same, and waits until the file system has been cleaned up.
  // DEADLINE_EXCEEDED where that takes longer than `timeout`: it is retired all
  // the same.
  absl::Status RetireAndWait(std::string_view scheme, absl::Duration timeout);

  // Retires all schemes, and then waits for all of them together, up to
  // `timeout`; goes on after an error, and answers the first. What a program
  // does before it exits: real plugins abort in their static destructors
  // otherwise.
  absl::Status RetireAll(absl::Duration timeout = absl::ZeroDuration());

 private:
  friend class Pinned;  // core/registry/pinned.h, how calls by URI look up

  struct Entry {
    FileSystemPtr file_system;
  };
  using Map = SchemeMap<Entry>;  // of entries that are the registry's

  static SchemeRegistry& MakeDefault();

  static std::atomic<SchemeRegistry*> default_;  // null until it is wanted

  absl::Status NoSuchScheme(std::string_view scheme) const;

  static bool IsInUseByThisThread(const Entry& entry);

  // Replaces the map and frees the old one, once no lookup reads it any more:
  // lookups are over at once. The caller has the lock.
  void Publish(std::unique_ptr<const Map> map);

  // What was retired and is in nobody's slot any more, to be freed without the
  // lock, which the caller has. The rest is left for the threads that let go of
  // it.
  std::vector<std::unique_ptr<const Entry>> TakeUnused();

  // What the end of a call that used `entry` does while something is to
  // reclaim. Others than that entry are left to those who use them.
  void FreeUnused(const Entry* entry);

  // Retires `scheme`; yields what tells of the cleanup. Fails as Retire.
  absl::StatusOr<std::shared_ptr<const CleanupNotice>> TakeOutOfUse(
      std::string_view scheme);

  // Makes `entry` known to MayBeRetired. The caller has the lock.
  void NoteRetired(const Entry* entry);

  // Whether `entry` is to be reclaimed; always true of one that is. Needs no
  // lock.
  bool MayBeRetired(const Entry* entry) const;

  // How many entries MayBeRetired tells apart.
  static constexpr size_t kNoted = 8;

  std::atomic<const Map*> map_;
  std::atomic<bool> pending_{false};  // whether there is something to reclaim

  // Changed under HazardSlot::WriterMutex(). An entry has its place in noted_
  // as long as it is in retired_entries_.
  std::atomic<const Entry*> noted_[kNoted] = {};
  std::atomic<bool> not_all_noted_{false};

  // Guarded by HazardSlot::WriterMutex().
  std::vector<std::unique_ptr<const Entry>> retired_entries_;
};

}  // namespace fsload

#endif  // FSLOAD_SCHEME_REGISTRY_H_
