// Sets of many keys of which few matter.
#ifndef FSLOAD_TOOLS_FILES_PLAN_FINGERPRINTS_H_
#define FSLOAD_TOOLS_FILES_PLAN_FINGERPRINTS_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"

namespace fsload {

// Keeps 64 bits of each key, so it knows for sure only which keys it does not
// have. "", an unknown key, is never added. One thread at a time.
class Fingerprints final {
 public:
  void Add(const std::string& key) {
    if (!key.empty()) hashes_.insert(HashOf(key));
  }
  bool MayHave(const std::string& key) const {
    return !hashes_.empty() && !key.empty() && hashes_.contains(HashOf(key));
  }
  bool empty() const { return hashes_.empty(); }

 private:
  static uint64_t HashOf(const std::string& key) {
    return absl::Hash<std::string>()(key);
  }

  absl::flat_hash_set<uint64_t> hashes_;
};

// The keys that are in both of two sets, of which all of the first are added
// before the second. Exact, and small if few are in both. One thread at a time.
class CommonKeys final {
 public:
  void AddFirst(const std::string& key) { first_.Add(key); }
  void AddSecond(const std::string& key) {
    if (first_.MayHave(key)) second_.insert(key);
  }

  // Returns whether `key`, which is in the first set, is in the second too.
  bool Has(const std::string& key) const {
    return !second_.empty() && second_.contains(key);
  }
  bool empty() const { return second_.empty(); }

 private:
  Fingerprints first_;
  absl::flat_hash_set<std::string> second_;  // and a few that are not in both
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_FINGERPRINTS_H_
