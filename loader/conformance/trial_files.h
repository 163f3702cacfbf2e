// Files that a trial opened: their calls are recorded in it, and it outlives
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "loader/conformance/target.h"

namespace fsload::conformance {

class Trial;

class TrialReader final {
 public:
  TrialReader(Trial& trial, std::string name, std::unique_ptr<ReadTarget> file)
      : trial_(trial), name_(std::move(name)), file_(std::move(file)) {}

  // Returns the bytes read, which lie between bytes that the plugin must not
  // touch.
  absl::StatusOr<std::string> Read(uint64_t offset, size_t n);

  // Does the same, unrecorded, from any thread.
  absl::StatusOr<std::string> ReadQuietly(uint64_t offset, size_t n);

 private:
  Trial& trial_;
  const std::string name_;
  const std::unique_ptr<ReadTarget> file_;
};

class TrialWriter final {
 public:
  TrialWriter(Trial& trial, std::string name, std::unique_ptr<WriteTarget> file)
      : trial_(trial), name_(std::move(name)), file_(std::move(file)) {}

  absl::Status Append(std::string_view bytes);
  absl::StatusOr<int64_t> Tell();
  absl::Status Flush();
  absl::Status Sync();
  absl::Status Close();

 private:
  Trial& trial_;
  const std::string name_;
  const std::unique_ptr<WriteTarget> file_;
};

class TrialRegion final {
 public:
  TrialRegion(Trial& trial, std::unique_ptr<RegionTarget> region)
      : trial_(trial), region_(std::move(region)) {}

  std::string_view Contents();

 private:
  Trial& trial_;
  const std::unique_ptr<RegionTarget> region_;
};

}  // namespace fsload::conformance
