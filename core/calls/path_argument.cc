#include "core/calls/path_argument.h"

#include "core/calls/op_call.h"
#include "core/tables/operations.h"
#include "third_party/fmt/format.h"

namespace fsload {

bool IsEntryName(std::string_view name) {
  return name.find('/') == std::string_view::npos;
}

absl::Status NotAnEntryName(std::string_view folder, std::string_view name) {
  return absl::InternalError(
      CallMessage(Op::kFilesystem_get_children, folder,
                  Format("the plugin listed '{}', which is not a valid "
                         "name; it is not followed",
                         name)));
}

}  // namespace fsload
