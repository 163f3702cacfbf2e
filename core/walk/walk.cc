#include "fsload/walk.h"

#include <utility>

#include "core/walk/look_ahead.h"

namespace fsload {

absl::StatusOr<Walk> Walk::Begin(const FileSystem& file_system,
                                 const std::string& uri, WalkOptions options) {
  auto ahead = std::make_unique<LookAhead>(file_system, std::move(options));
  const absl::Status status = ahead->Begin(uri);
  if (!status.ok()) return status;
  return Walk(std::move(ahead));
}

absl::StatusOr<std::optional<WalkEntry>> Walk::Next() { return ahead_->Next(); }

Walk::Walk(std::unique_ptr<LookAhead> ahead) : ahead_(std::move(ahead)) {}
Walk::~Walk() = default;
Walk::Walk(Walk&&) noexcept = default;
Walk& Walk::operator=(Walk&&) noexcept = default;

}  // namespace fsload
