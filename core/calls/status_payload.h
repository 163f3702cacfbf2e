// Looks for a payload of a TF_Status.
#pragma once

#include <string_view>

#include "fsload/tf_status.h"

namespace fsload {

// Returns whether `status`, which is fsload's own, has a payload `key`.
inline bool HasPayload(const TF_Status* status, std::string_view key) {
  struct Search {
    std::string_view key;
    bool found = false;
  } search = {key};
  TF_ForEachPayload(
      status,
      [](const char* key, const char*, void* search) {
        auto& wanted = *static_cast<Search*>(search);
        wanted.found = wanted.found || wanted.key == key;
      },
      &search);
  return search.found;
}

}  // namespace fsload
