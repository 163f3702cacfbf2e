#include "loader/isolation/payload_fields.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fsload {

void PutPayloads(const TF_Status* status, FieldWriter& fields) {
  std::vector<std::pair<std::string, std::string>> payloads;
  TF_ForEachPayload(
      status,
      [](const char* key, const char* value, void* all) {
        static_cast<decltype(payloads)*>(all)->emplace_back(key, value);
      },
      &payloads);
  fields.Number(payloads.size());
  for (const auto& [key, value] : payloads) {
    fields.Text(key);
    fields.Text(value);
  }
}

void TakePayloads(FieldReader& fields, TF_Status* status) {
  const uint64_t payloads = fields.Count(2 * sizeof(uint64_t));
  for (uint64_t i = 0; i < payloads; ++i) {
    const std::string key(fields.Text());
    const std::string value(fields.Text());
    TF_SetPayload(status, key.c_str(), value.c_str());
  }
}

}  // namespace fsload
