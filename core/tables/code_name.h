// Codes, of which a plugin may return others than there are.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "fsload/tf_status.h"

namespace fsload {

// Returns `code`; TF_UNKNOWN for one that nobody defines.
constexpr TF_Code KnownCode(TF_Code code) {
  return code >= TF_OK && code <= TF_UNAUTHENTICATED ? code : TF_UNKNOWN;
}

// Returns "NOT_FOUND"; "UNKNOWN" for one that nobody defines.
inline std::string CodeName(TF_Code code) {
  return absl::StatusCodeToString(
      static_cast<absl::StatusCode>(KnownCode(code)));
}

}  // namespace fsload
