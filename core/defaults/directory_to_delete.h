// A directory of a tree that is being deleted.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace fsload {

// An entry that could not be deleted and was not found after that: it is gone,
// or it is there and the plugin did not find it.
struct UnconfirmedEntry {
  bool is_directory;
  absl::Status error;  // if it is there
};

using UnconfirmedEntries = std::map<std::string, UnconfirmedEntry>;  // by name

// Returns those of `entries` that are among `names`.
UnconfirmedEntries StillListed(const UnconfirmedEntries& entries,
                               const std::vector<std::string>& names);

// The caller says which members a lock guards.
struct DirectoryToDelete {
  DirectoryToDelete(DirectoryToDelete* directory_around, std::string own_name)
      : around(directory_around),
        name(std::move(own_name)),
        depth(around == nullptr ? 0 : around->depth + 1) {}

  DirectoryToDelete* const around;  // null for the root
  const std::string name;           // the root's is its path
  const size_t depth;               // 0 for the root
  std::vector<std::string> names;   // of the entries
  bool again = false;               // they are the ones that came back

  size_t pending = 1;               // parts and directories not yet done
  bool claimed = false;             // delete_file returned OK for an entry
  std::set<std::string> left = {};  // the entries that stay
  UnconfirmedEntries unconfirmed = {};
  std::list<DirectoryToDelete>::iterator self;  // in the list of the deletion
};

// Records that the entry `name` of `directory` stays; nothing if that is null.
inline void AddLeft(DirectoryToDelete* directory, const std::string& name) {
  if (directory != nullptr) directory->left.insert(name);
}

// Removes from `names` the entries that are known to stay.
void RemoveLeft(const DirectoryToDelete& directory,
                std::vector<std::string>& names);

// Deeper than the path of any system or the key of any store.
inline constexpr size_t kMaxNestedToDelete = 10'000;

// Returns the error for the tree `root`, which is deeper.
absl::Status NestedTooDeep(std::string_view root);

// Returns the error for an entry that cannot be found, but is still listed.
absl::Status ListedButNotFound(const std::string& path);

// Appends `name` to `path`, with a '/' between them.
void AppendName(std::string& path, const std::string& name);

// Returns the path of `directory`, from the root on.
std::string PathOf(const DirectoryToDelete& directory);

}  // namespace fsload
