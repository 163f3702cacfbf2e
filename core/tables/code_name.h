// Codes as text.
#ifndef FSLOAD_CORE_TABLES_CODE_NAME_H_
#define FSLOAD_CORE_TABLES_CODE_NAME_H_

#include <string>

#include "absl/status/status.h"
#include "fsload/tf_status.h"

namespace fsload {

// Returns "NOT_FOUND"; "UNKNOWN" for one that nobody defines.
inline std::string CodeName(TF_Code code) {
  const bool known = code >= TF_OK && code <= TF_UNAUTHENTICATED;
  return absl::StatusCodeToString(
      static_cast<absl::StatusCode>(known ? code : TF_UNKNOWN));
}

}  // namespace fsload

#endif  // FSLOAD_CORE_TABLES_CODE_NAME_H_
