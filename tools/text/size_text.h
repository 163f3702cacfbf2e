// Sizes as people write and read them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tools/cli/command_line.h"

namespace fsload {

// The largest size or offset accepted: no file is larger (L579).
inline constexpr uint64_t kMaxBytes = uint64_t{1} << 63;

// Returns "4096", "16K", "16KiB" (times 1024) or "16KB" (times 1000), up to E.
// INVALID_ARGUMENT for other text, and above kMaxBytes.
absl::StatusOr<uint64_t> ParseSize(std::string_view text);

// Returns "1023", "1.5K", "300M": at most four characters and the unit, in
// powers of 1024, rounded up as du and ls do.
std::string HumanSize(uint64_t bytes);

// Adds an option whose value is a size; `type` describes it, and `take`
// receives it. Refuses other text when the command line is parsed.
CLI::Option* AddSizeOption(CLI::App& command, const std::string& names,
                           const std::function<void(uint64_t)>& take,
                           const std::string& type,
                           const std::string& description);

}  // namespace fsload
