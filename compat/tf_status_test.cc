#include "compat/tf_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "compat/tf_status_storage.h"

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

size_t g_allocations = 0;

}  // namespace

// Counts what this program allocates.
void* operator new(size_t size) {
  ++g_allocations;
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace {

using Payloads = std::vector<std::pair<std::string, std::string>>;

Payloads PayloadsOf(const TF_Status& status) {
  Payloads payloads;
  TF_ForEachPayload(
      &status,
      [](const char* key, const char* value, void* capture) {
        static_cast<Payloads*>(capture)->emplace_back(key, value);
      },
      &payloads);
  return payloads;
}

// The longest message that is kept inline, and its neighbours.
constexpr size_t kLengths[] = {1, 102, 103, 104, 105, 5000};

TEST(TfStatusTest, ANewStatusIsOkAndSaysNothing) {
  TF_Status* status = TF_NewStatus();
  EXPECT_EQ(TF_GetCode(status), TF_OK);
  EXPECT_STREQ(TF_Message(status), "");
  TF_DeleteStatus(status);
}

TEST(TfStatusTest, DeletingNullDoesNothing) { TF_DeleteStatus(nullptr); }

TEST(TfStatusTest, HoldsEveryCode) {
  for (int code = TF_OK; code <= TF_UNAUTHENTICATED; ++code) {
    TF_Status status;
    TF_SetStatus(&status, static_cast<TF_Code>(code), "m");
    EXPECT_EQ(TF_GetCode(&status), code);
  }
}

TEST(TfStatusTest, HoldsMessagesOfEveryLength) {
  for (const size_t length : kLengths) {
    const std::string message(length, 'x');
    TF_Status status;
    TF_SetStatus(&status, TF_INTERNAL, message.c_str());
    EXPECT_EQ(TF_Message(&status), message);
  }
}

TEST(TfStatusTest, CopiesTheMessage) {
  for (const size_t length : kLengths) {
    std::string message(length, 'x');
    TF_Status status;
    TF_SetStatus(&status, TF_INTERNAL, message.c_str());
    message[0] = 'y';
    EXPECT_EQ(TF_Message(&status), std::string(length, 'x'));
  }
}

TEST(TfStatusTest, TakesItsOwnMessage) {
  for (const size_t length : kLengths) {
    TF_Status status;
    TF_SetStatus(&status, TF_INTERNAL, std::string(length, 'x').c_str());
    TF_SetStatus(&status, TF_UNKNOWN, TF_Message(&status));
    EXPECT_EQ(TF_Message(&status), std::string(length, 'x'));
  }
}

TEST(TfStatusTest, TakesTheTailOfItsOwnMessage) {
  for (const size_t length : kLengths) {
    TF_Status status;
    TF_SetStatus(&status, TF_INTERNAL,
                 ("a" + std::string(length, 'x')).c_str());
    TF_SetStatus(&status, TF_UNKNOWN, TF_Message(&status) + 1);
    EXPECT_EQ(TF_Message(&status), std::string(length, 'x'));
  }
}

TEST(TfStatusTest, AShortMessageFollowsALongOne) {
  TF_Status status;
  TF_SetStatus(&status, TF_INTERNAL, std::string(5000, 'x').c_str());
  TF_SetStatus(&status, TF_INTERNAL, "short");
  EXPECT_STREQ(TF_Message(&status), "short");
}

TEST(TfStatusTest, ANullMessageIsEmpty) {
  TF_Status status;
  TF_SetStatus(&status, TF_INTERNAL, nullptr);
  EXPECT_EQ(TF_GetCode(&status), TF_INTERNAL);
  EXPECT_STREQ(TF_Message(&status), "");
}

TEST(TfStatusTest, OkHasNoMessage) {
  TF_Status status;
  TF_SetStatus(&status, TF_OK, "all is well");
  EXPECT_STREQ(TF_Message(&status), "");
}

TEST(TfStatusTest, VisitsPayloadsInTheOrderOfTheirKeys) {
  TF_Status status;
  TF_SetStatus(&status, TF_INTERNAL, "m");
  TF_SetPayload(&status, "b", "2");
  TF_SetPayload(&status, "a", "1");
  EXPECT_THAT(PayloadsOf(status), ElementsAre(Pair("a", "1"), Pair("b", "2")));
  EXPECT_STREQ(TF_Message(&status), "m");
}

TEST(TfStatusTest, ASecondPayloadReplacesTheFirstOfItsKey) {
  TF_Status status;
  TF_SetStatus(&status, TF_INTERNAL, "m");
  TF_SetPayload(&status, "a", "1");
  TF_SetPayload(&status, "a", "2");
  EXPECT_THAT(PayloadsOf(status), ElementsAre(Pair("a", "2")));
}

TEST(TfStatusTest, PayloadsLiveBesideALongMessage) {
  TF_Status status;
  TF_SetStatus(&status, TF_INTERNAL, std::string(5000, 'x').c_str());
  TF_SetPayload(&status, "a", "1");
  EXPECT_EQ(TF_Message(&status), std::string(5000, 'x'));
  EXPECT_THAT(PayloadsOf(status), ElementsAre(Pair("a", "1")));
}

TEST(TfStatusTest, SettingTheStatusDropsPayloads) {
  for (const size_t length : kLengths) {
    TF_Status status;
    TF_SetStatus(&status, TF_INTERNAL, "m");
    TF_SetPayload(&status, "a", "1");
    TF_SetStatus(&status, TF_INTERNAL, std::string(length, 'x').c_str());
    EXPECT_THAT(PayloadsOf(status), IsEmpty());
  }
}

TEST(TfStatusTest, OkTakesNoPayload) {
  TF_Status status;
  TF_SetPayload(&status, "a", "1");
  EXPECT_THAT(PayloadsOf(status), IsEmpty());
}

TEST(TfStatusTest, NullPayloadsAreIgnored) {
  TF_Status status;
  TF_SetStatus(&status, TF_INTERNAL, "m");
  TF_SetPayload(&status, nullptr, "1");
  TF_SetPayload(&status, "a", nullptr);
  EXPECT_THAT(PayloadsOf(status), IsEmpty());
}

TEST(TfStatusTest, DescribesAnErrnoValueAfterItsContext) {
  TF_Status status;
  TF_SetStatusFromIOError(&status, ENOENT, "/a");
  EXPECT_EQ(TF_GetCode(&status), TF_NOT_FOUND);
  EXPECT_STREQ(TF_Message(&status), "/a: No such file or directory");
}

TEST(TfStatusTest, DescribesAnErrnoValueWithoutContext) {
  for (const char* context : {"", static_cast<const char*>(nullptr)}) {
    TF_Status status;
    TF_SetStatusFromIOError(&status, ENOENT, context);
    EXPECT_STREQ(TF_Message(&status), "No such file or directory");
  }
}

TEST(TfStatusTest, AnErrnoValueOfZeroIsOk) {
  TF_Status status;
  TF_SetStatus(&status, TF_INTERNAL, "m");
  TF_SetStatusFromIOError(&status, 0, "/a");
  EXPECT_EQ(TF_GetCode(&status), TF_OK);
  EXPECT_STREQ(TF_Message(&status), "");
}

TEST(TfStatusTest, ItsOwnMessageMayBeTheContext) {
  TF_Status status;
  TF_SetStatus(&status, TF_INTERNAL, "/a");
  TF_SetStatusFromIOError(&status, ENOENT, TF_Message(&status));
  EXPECT_STREQ(TF_Message(&status), "/a: No such file or directory");
}

TEST(TfStatusTest, AStatusOnTheStackAllocatesNothingForShortMessages) {
  const std::string longest(TF_Status::kInlineMessageBytes - 1, 'x');
  const size_t before = g_allocations;
  {
    TF_Status status;
    TF_SetStatus(&status, TF_OK, "");
    TF_SetStatus(&status, TF_NOT_FOUND, longest.c_str());
    TF_SetPayload(&status, nullptr, nullptr);
    TF_SetStatus(&status, TF_INTERNAL, TF_Message(&status));
  }
  EXPECT_EQ(g_allocations, before);
}

TEST(TfStatusTest, OneMoreByteThanFitsInlineAllocates) {
  const std::string longer(TF_Status::kInlineMessageBytes, 'x');
  const size_t before = g_allocations;
  {
    TF_Status status;
    TF_SetStatus(&status, TF_NOT_FOUND, longer.c_str());
  }
  EXPECT_GT(g_allocations, before);
}

}  // namespace
