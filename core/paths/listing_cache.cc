#include "core/paths/listing_cache.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "core/paths/path.h"

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
  return found.Has(HashOf(name));
}

bool ListingCache::Directory::Has(size_t hash) const {
  return std::binary_search(hashes.begin(), hashes.end(), hash) ||
         added.count(hash) > 0;
}

ListingCache::Request::Request(ListingCache& cache, std::string_view directory)
    : cache_(cache), directory_(directory) {
  const MutexLock lock(cache_.mutex_);
  cache_.requests_.push_back(this);
  cache_.is_used_ = true;
}

ListingCache::Request::~Request() {
  const MutexLock lock(cache_.mutex_);
  auto& requests = cache_.requests_;
  requests.erase(std::find(requests.begin(), requests.end(), this));
}

void ListingCache::Remember(const Request& request,
                            const std::vector<std::string_view>& names,
                            Duration took) {
  std::vector<size_t> hashes;
  hashes.reserve(names.size());
  for (const std::string_view name : names) hashes.push_back(HashOf(name));
  const MutexLock lock(mutex_);
  if (request.is_forgotten_) return;
  hashes.insert(hashes.end(), request.added_.begin(), request.added_.end());
  std::sort(hashes.begin(), hashes.end());
  Directory& found = Find(request.directory_);
  found.until = Clock::now() + kLongest + kLongestPerListing * took;
  found.is_listed = true;
  found.hashes = std::move(hashes);
  found.added.clear();
}

void ListingCache::Add(std::string_view path) {
  const MutexLock lock(mutex_);
  const Clock::time_point now = Clock::now();
  bool is_used = !requests_.empty();
  for (const Directory& each : directories_) {
    is_used = is_used || (each.is_listed && each.until >= now);
  }
  is_used_ = is_used;
  if (!is_used) return;
  for (std::string_view asked = WithoutSlashes(path);;) {
    const std::string_view above = Dirname(asked);
    const std::string_view folder = above.empty() ? "." : above;
    const size_t hash = HashOf(Basename(asked));
    for (Directory& each : directories_) {
      if (!each.is_listed || each.path != folder) continue;
      if (!each.Has(hash)) each.added.insert(hash);
    }
    for (Request* const each : requests_) {
      if (each->directory_ == folder) each->added_.push_back(hash);
    }
    const std::string_view next = WithoutSlashes(above);
    if (next.empty() || next.size() >= asked.size()) return;
    asked = next;
  }
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
  for (Request* const each : requests_) each->is_forgotten_ = true;
  is_used_ = !requests_.empty();
}

}  // namespace fsload
