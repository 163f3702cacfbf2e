#include "loader/isolation/load_request.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace fsload {
namespace {

LoadRequest Request() {
  LoadRequest request;
  request.plugin = "/p.so";
  request.from_bytes = true;
  request.file_identity = "identity";
  request.memory_limit = uint64_t{5} << 30;
  request.options.partial = true;
  request.options.trust_untested = true;
  request.options.trust.allow_list = "/list";
  return request;
}

LoadAnswer Answer() {
  LoadAnswer answer;
  answer.report.plugin = "/p.so";
  answer.report.status = absl::FailedPreconditionError("why");
  answer.report.schemes.emplace_back().scheme = "one";
  answer.file_identity = "identity";
  JournalFileSystem& served = answer.file_systems.emplace_back();
  served.scheme = "one";
  served.traits.is_untested = true;
  return answer;
}

TEST(LoadRequestTest, IsReadAsItWasWritten) {
  const std::optional<LoadRequest> read = LoadRequestFrom(ToFields(Request()));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->plugin, "/p.so");
  EXPECT_TRUE(read->from_bytes);
  EXPECT_EQ(read->file_identity, "identity");
  EXPECT_EQ(read->memory_limit, uint64_t{5} << 30);
  EXPECT_TRUE(read->options.partial);
  EXPECT_TRUE(read->options.trust_untested);
  EXPECT_FALSE(read->options.in_place);
  EXPECT_EQ(read->options.trust.allow_list, "/list");
}

TEST(LoadAnswerTest, IsReadAsItWasWritten) {
  const std::optional<LoadAnswer> read = LoadAnswerFrom(ToFields(Answer()));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->report.status, absl::FailedPreconditionError("why"));
  ASSERT_EQ(read->report.schemes.size(), 1);
  EXPECT_EQ(read->report.schemes[0].scheme, "one");
  EXPECT_EQ(read->file_identity, "identity");
  ASSERT_EQ(read->file_systems.size(), 1);
  EXPECT_TRUE(read->file_systems[0].traits.is_untested);
}

template <typename Read>
void ExpectOnlyTheWhole(const std::string& whole, const Read& read) {
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(read(std::string_view(whole).substr(0, size)).has_value())
        << size;
  }
  EXPECT_FALSE(read(whole + '\0').has_value());
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const char byte : {'\0', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[i] = byte;
      static_cast<void>(read(changed));  // must only not crash
    }
  }
}

TEST(LoadRequestTest, IsRefusedUnlessItIsWhole) {
  ExpectOnlyTheWhole(ToFields(Request()), LoadRequestFrom);
}

TEST(LoadAnswerTest, IsRefusedUnlessItIsWhole) {
  ExpectOnlyTheWhole(ToFields(Answer()), LoadAnswerFrom);
}

TEST(LoadAnswerTest, IsRefusedWithASchemeThatIsTooLong) {
  LoadAnswer answer = Answer();
  answer.file_systems[0].scheme = std::string(64, 'a');
  EXPECT_FALSE(LoadAnswerFrom(ToFields(answer)).has_value());
}

}  // namespace
}  // namespace fsload
