#include "core/paths/listing_cache.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace fsload {
namespace {

// How many listings this thread has begun and not ended: observers of the first
// may ask for others.
thread_local int own_listings = 0;

size_t HashOf(std::string_view name) {
  const absl::string_view text(name.data(), name.size());
  return std::hash<std::string>()(absl::AsciiStrToLower(text));
}

}  // namespace

bool IsSameButForCase(std::string_view a, std::string_view b) {
  return absl::EqualsIgnoreCase({a.data(), a.size()}, {b.data(), b.size()});
}

ListingCache::Directory& ListingCache::Find(std::string_view path) {
  const auto found =
      std::find_if(directories_.begin(), directories_.end(),
                   [&](const Directory& each) { return each.path == path; });
  if (found != directories_.end() && found->until >= Clock::now()) {
    directories_.splice(directories_.begin(), directories_, found);
    return directories_.front();
  }
  if (found != directories_.end()) directories_.erase(found);
  directories_.push_front({std::string(path), Clock::now() + kLongest});
  if (directories_.size() > kMaxDirectories) directories_.pop_back();
  return directories_.front();
}

std::optional<bool> ListingCache::MayHave(std::string_view directory,
                                          std::string_view name) {
  const MutexLock lock(mutex_);
  const Directory& found = Find(directory);
  if (!found.is_listed) return std::nullopt;
  return std::binary_search(found.hashes.begin(), found.hashes.end(),
                            HashOf(name));
}

void ListingCache::Remember(std::string_view directory,
                            const std::vector<std::string_view>& names,
                            Duration took, uint64_t forgotten) {
  std::vector<size_t> hashes;
  hashes.reserve(names.size());
  for (const std::string_view name : names) hashes.push_back(HashOf(name));
  std::sort(hashes.begin(), hashes.end());
  const MutexLock lock(mutex_);
  if (times_forgotten_ != forgotten) return;
  Directory& found = Find(directory);
  found.until = Clock::now() + kLongest + kLongestPerListing * took;
  found.is_listed = true;
  found.hashes = std::move(hashes);
}

int ListingCache::CountQuestion(std::string_view directory) {
  const MutexLock lock(mutex_);
  return ++Find(directory).questions;
}

bool ListingCache::BeginListing(std::string_view directory) {
  const MutexLock lock(mutex_);
  const bool begins = !std::exchange(Find(directory).is_being_listed, true);
  if (begins) ++own_listings;
  return begins;
}

void ListingCache::EndListing(std::string_view directory) {
  const MutexLock lock(mutex_);
  Find(directory).is_being_listed = false;
  --own_listings;
  listing_ended_.NotifyAll();
}

void ListingCache::WaitForListing(std::string_view directory) {
  if (own_listings > 0) return;
  const Clock::time_point end = Clock::now() + kLongest;
  const MutexLock lock(mutex_);
  while (Find(directory).is_being_listed &&
         listing_ended_.WaitUntil(mutex_, end)) {
  }
}

void ListingCache::Forget() {
  const MutexLock lock(mutex_);
  directories_.clear();
  ++times_forgotten_;
}

uint64_t ListingCache::times_forgotten() const {
  const MutexLock lock(mutex_);
  return times_forgotten_;
}

}  // namespace fsload
