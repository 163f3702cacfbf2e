#include "loader/isolation/payload_fields.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "fsload/internal/tf_status_storage.h"

namespace fsload {
namespace {

using Payloads = std::map<std::string, std::string>;

Payloads PayloadsOf(const TF_Status* status) {
  Payloads found;
  TF_ForEachPayload(
      status,
      [](const char* key, const char* value, void* all) {
        (*static_cast<Payloads*>(all))[key] = value;
      },
      &found);
  return found;
}

TEST(PayloadFields, KeepEachPayload) {
  for (const Payloads& payloads :
       {Payloads{}, Payloads{{"a", "1"}, {"b", ""}}}) {
    StatusStorage given;
    TF_SetStatus(given.get(), TF_NOT_FOUND, "no");
    for (const auto& [key, value] : payloads) {
      TF_SetPayload(given.get(), key.c_str(), value.c_str());
    }
    FieldWriter written;
    PutPayloads(given.get(), written);
    const std::string bytes = written.Release();
    StatusStorage taken;
    TF_SetStatus(taken.get(), TF_NOT_FOUND, "no");
    FieldReader read(bytes);
    TakePayloads(read, taken.get());
    EXPECT_TRUE(read.AtEnd());
    EXPECT_EQ(PayloadsOf(taken.get()), payloads);
  }
}

}  // namespace
}  // namespace fsload
