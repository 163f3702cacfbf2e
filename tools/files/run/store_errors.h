// Explains errors of object stores by what is known of their bucket.
#ifndef FSLOAD_TOOLS_FILES_RUN_STORE_ERRORS_H_
#define FSLOAD_TOOLS_FILES_RUN_STORE_ERRORS_H_

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fsload/file_system.h"

namespace fsload {

// NOT_FOUND, naming the bucket, if `uri` is in one that does not exist; OK if
// it does, if that cannot be found out, and where there are no buckets.
absl::Status CheckBucket(const FileSystem& file_system, std::string_view uri);

// Thread-safe.
class StoreErrors final {
 public:
  // Returns `status` of `uri`, or what says more: that there is no such bucket,
  // or the server's words where the answer had none. Asks about each bucket
  // once.
  absl::Status Explain(const FileSystem& file_system, std::string_view uri,
                       const absl::Status& status);

 private:
  std::mutex mutex_;  // held while a server is asked
  std::map<std::string, absl::Status, std::less<>> buckets_;  // by their root
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_RUN_STORE_ERRORS_H_
