// What must stay because of an error, while a plan deletes.
#ifndef FSLOAD_TOOLS_FILES_TRANSFER_KEPT_PLACES_H_
#define FSLOAD_TOOLS_FILES_TRANSFER_KEPT_PLACES_H_

#include <mutex>
#include <set>
#include <string>

namespace fsload {

// Thread-safe.
class KeptPlaces final {
 public:
  // Keeps `uri`, but what is in it may go.
  void Keep(const std::string& uri);

  // Keeps all directories above `uri` so: something in them stays.
  void KeepAbove(const std::string& uri);

  // Keeps `uri` with everything below it.
  void KeepAllIn(const std::string& uri);

  // Whether `uri` must stay.
  bool Has(const std::string& uri) const;

 private:
  mutable std::mutex mutex_;  // guards the fields below
  std::set<std::string> alone_;
  std::set<std::string> with_contents_;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TRANSFER_KEPT_PLACES_H_
