// Which of many keys two sets have in common.
#pragma once

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"

namespace fsload {

// The keys that are in both of two sets, of which all of the first are added
// before the second. "", an unknown key, is in neither. Exact, and small if few
// are in both: keeps 64 bits of each of the first. One thread at a time.
class CommonKeys final {
 public:
  void AddFirst(const std::string& key) {
    if (!key.empty()) first_.insert(absl::HashOf(key));
  }
  void AddSecond(const std::string& key) {
    if (!key.empty() && first_.contains(absl::HashOf(key))) second_.insert(key);
  }

  // Returns whether `key`, which is in the first set, is in the second too.
  bool Has(const std::string& key) const { return second_.contains(key); }
  bool empty() const { return second_.empty(); }

 private:
  absl::flat_hash_set<uint64_t> first_;      // hashes
  absl::flat_hash_set<std::string> second_;  // and a few that are not in both
};

}  // namespace fsload
