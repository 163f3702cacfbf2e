// Which file system serves which URI scheme.
//
// No lookup takes a lock. That of a call by URI (fsload/by_uri.h) touches
// nothing that other threads write to; Find and Resolve return an owner, which
// changes a count that threads share: keep it rather than ask again. Changes
// are rare and copy the map; after a scheme is retired, the end of each call on
// it checks under a lock whether it is the last one. Thread-safe; destroy it
// only when no thread uses it any more.
#ifndef FSLOAD_SCHEME_REGISTRY_H_
#define FSLOAD_SCHEME_REGISTRY_H_

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "fsload/export.h"
#include "fsload/file_system.h"

namespace fsload {
class CleanupNotice;
class Pinned;
template <typename T>
class SchemeMap;
}  // namespace fsload

namespace FSLOAD_API fsload {

class SchemeRegistry final {
 public:
  // Returns the registry that a program uses unless it makes its own. Never
  // destroyed: its file systems are cleaned up by Retire, not at exit.
  static SchemeRegistry& Default() {
    SchemeRegistry* const made = default_.load(std::memory_order_acquire);
    return ABSL_PREDICT_TRUE(made != nullptr) ? *made : MakeDefault();
  }

  // Makes an empty registry.
  SchemeRegistry();

  // Releases all file systems without waiting: the last user of each cleans it
  // up.
  ~SchemeRegistry();
  SchemeRegistry(const SchemeRegistry&) = delete;
  SchemeRegistry& operator=(const SchemeRegistry&) = delete;

  // Adds each file system, none of them null, under its scheme ("" for local
  // paths): all or none. ALREADY_EXISTS for a scheme that is taken, naming both
  // plugins.
  absl::Status Register(absl::Span<const FileSystemPtr> file_systems);

  // Returns an owner of the file system for `scheme`. NOT_FOUND, naming the
  // registered schemes.
  absl::StatusOr<FileSystemPtr> Find(std::string_view scheme);

  // Returns an owner of the file system for the scheme of `uri`. Fails like
  // Find.
  absl::StatusOr<FileSystemPtr> Resolve(std::string_view uri);

  // Returns all schemes, sorted.
  std::vector<std::string> Schemes() const;

  // Removes `scheme`. Its file system is cleaned up at once, or by the last
  // user to release it: an open file or a running call. NOT_FOUND for an
  // unknown scheme; FAILED_PRECONDITION, with no effect, from inside a call on
  // that scheme.
  absl::Status Retire(std::string_view scheme);

  // Retires `scheme` and waits until its file system has been cleaned up. Fails
  // like Retire. DEADLINE_EXCEEDED if the cleanup takes longer than `timeout`;
  // the scheme is retired all the same.
  absl::Status RetireAndWait(std::string_view scheme, absl::Duration timeout);

  // Retires all schemes, then waits for all of them together up to `timeout`;
  // continues after an error and returns the first. DEADLINE_EXCEEDED if a
  // scheme is still in use then, which the last user cleans up;
  // FAILED_PRECONDITION from inside a call on a scheme, which is not retired.
  // Call it before the program exits: real plugins otherwise abort in their
  // static destructors.
  absl::Status RetireAll(absl::Duration timeout = absl::ZeroDuration());

 private:
  friend class Pinned;  // core/registry/pinned.h, the lookup of calls by URI

  struct Entry {
    FileSystemPtr file_system;
  };
  using Map = SchemeMap<Entry>;  // the registry owns the entries
  // A list: to move an entry needs no memory.
  using RetiredEntries = std::list<std::unique_ptr<const Entry>>;

  static SchemeRegistry& MakeDefault();

  static std::atomic<SchemeRegistry*> default_;  // null until first used

  absl::Status NoSuchScheme(std::string_view scheme) const;
  absl::Status NothingServes(std::string_view uri) const;

  static bool IsInUseByThisThread(const Entry& entry);

  // Replaces the map and frees the old one once no lookup reads it any more;
  // lookups are short. The caller holds the lock.
  void Publish(std::unique_ptr<const Map> map);

  // Returns the retired entries that no slot holds any more, for the caller to
  // free after releasing the lock, which it holds. The rest are freed by the
  // threads that let go of them.
  RetiredEntries TakeUnused();

  // Frees retired entries at the end of a call that used `entry`. Does nothing
  // unless `entry` itself may be retired: the others are left to their users.
  void FreeUnused(const Entry* entry);

  // Retires `scheme` and returns the notice of its cleanup. Fails like Retire.
  absl::StatusOr<std::shared_ptr<const CleanupNotice>> TakeOutOfUse(
      std::string_view scheme);

  // Records `entry` for MayBeRetired. The caller holds the lock.
  void NoteRetired(const Entry* entry);

  // Returns whether `entry` may have to be reclaimed; always true if it does.
  // Needs no lock.
  bool MayBeRetired(const Entry* entry) const;

  // How many entries MayBeRetired can tell apart.
  static constexpr size_t kNoted = 8;

  // Sequentially consistent, as are the following: a reader protects what it
  // finds here, and looks again; a writer replaces it, and then looks for
  // readers (core/threads/hazard_pointer.h).
  std::atomic<const Map*> map_;
  std::atomic<bool> pending_{false};  // whether there are entries to reclaim

  // Changed under HazardPointer::WriterMutex(). An entry has its place in
  // noted_ while it is in retired_entries_. A reader that lets go of an entry
  // looks here afterwards: either it sees the note, or the writer, who notes
  // first and then looks for readers, sees that it has let go.
  std::atomic<const Entry*> noted_[kNoted] = {};
  std::atomic<bool> not_all_noted_{false};

  // Guarded by HazardPointer::WriterMutex().
  RetiredEntries retired_entries_;
};

}  // namespace fsload

#endif  // FSLOAD_SCHEME_REGISTRY_H_
