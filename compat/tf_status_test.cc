#include "fsload/tf_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "fsload/internal/tf_status_storage.h"

namespace {

using ::fsload::StatusStorage;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

size_t g_allocations = 0;

}  // namespace

// Counts this program's allocations.
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

Payloads PayloadsOf(const StatusStorage& status) {
  Payloads payloads;
  TF_ForEachPayload(
      status.get(),
      [](const char* key, const char* value, void* capture) {
        static_cast<Payloads*>(capture)->emplace_back(key, value);
      },
      &payloads);
  return payloads;
}

// The longest message stored inline, and its neighbours.
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
    StatusStorage status;
    TF_SetStatus(status.get(), static_cast<TF_Code>(code), "m");
    EXPECT_EQ(TF_GetCode(status.get()), code);
  }
}

TEST(TfStatusTest, HoldsMessagesOfEveryLength) {
  for (const size_t length : kLengths) {
    const std::string message(length, 'x');
    StatusStorage status;
    TF_SetStatus(status.get(), TF_INTERNAL, message.c_str());
    EXPECT_EQ(TF_Message(status.get()), message);
  }
}

TEST(TfStatusTest, CopiesTheMessage) {
  for (const size_t length : kLengths) {
    std::string message(length, 'x');
    StatusStorage status;
    TF_SetStatus(status.get(), TF_INTERNAL, message.c_str());
    message[0] = 'y';
    EXPECT_EQ(TF_Message(status.get()), std::string(length, 'x'));
  }
}

TEST(TfStatusTest, TakesItsOwnMessage) {
  for (const size_t length : kLengths) {
    StatusStorage status;
    TF_SetStatus(status.get(), TF_INTERNAL, std::string(length, 'x').c_str());
    TF_SetStatus(status.get(), TF_UNKNOWN, TF_Message(status.get()));
    EXPECT_EQ(TF_Message(status.get()), std::string(length, 'x'));
  }
}

TEST(TfStatusTest, TakesTheTailOfItsOwnMessage) {
  for (const size_t length : kLengths) {
    StatusStorage status;
    TF_SetStatus(status.get(), TF_INTERNAL,
                 ("a" + std::string(length, 'x')).c_str());
    TF_SetStatus(status.get(), TF_UNKNOWN, TF_Message(status.get()) + 1);
    EXPECT_EQ(TF_Message(status.get()), std::string(length, 'x'));
  }
}

TEST(TfStatusTest, AShortMessageFollowsALongOne) {
  StatusStorage status;
  TF_SetStatus(status.get(), TF_INTERNAL, std::string(5000, 'x').c_str());
  TF_SetStatus(status.get(), TF_INTERNAL, "short");
  EXPECT_STREQ(TF_Message(status.get()), "short");
}

TEST(TfStatusTest, ANullMessageIsEmpty) {
  StatusStorage status;
  TF_SetStatus(status.get(), TF_INTERNAL, nullptr);
  EXPECT_EQ(TF_GetCode(status.get()), TF_INTERNAL);
  EXPECT_STREQ(TF_Message(status.get()), "");
}

TEST(TfStatusTest, OkHasNoMessage) {
  StatusStorage status;
  TF_SetStatus(status.get(), TF_OK, "all is well");
  EXPECT_STREQ(TF_Message(status.get()), "");
}

TEST(TfStatusTest, VisitsPayloadsInTheOrderOfTheirKeys) {
  StatusStorage status;
  TF_SetStatus(status.get(), TF_INTERNAL, "m");
  TF_SetPayload(status.get(), "b", "2");
  TF_SetPayload(status.get(), "a", "1");
  EXPECT_THAT(PayloadsOf(status), ElementsAre(Pair("a", "1"), Pair("b", "2")));
  EXPECT_STREQ(TF_Message(status.get()), "m");
}

TEST(TfStatusTest, ASecondPayloadReplacesTheFirstOfItsKey) {
  StatusStorage status;
  TF_SetStatus(status.get(), TF_INTERNAL, "m");
  TF_SetPayload(status.get(), "a", "1");
  TF_SetPayload(status.get(), "a", "2");
  EXPECT_THAT(PayloadsOf(status), ElementsAre(Pair("a", "2")));
}

TEST(TfStatusTest, PayloadsLiveBesideALongMessage) {
  StatusStorage status;
  TF_SetStatus(status.get(), TF_INTERNAL, std::string(5000, 'x').c_str());
  TF_SetPayload(status.get(), "a", "1");
  EXPECT_EQ(TF_Message(status.get()), std::string(5000, 'x'));
  EXPECT_THAT(PayloadsOf(status), ElementsAre(Pair("a", "1")));
}

TEST(TfStatusTest, SettingTheStatusDropsPayloads) {
  for (const size_t length : kLengths) {
    StatusStorage status;
    TF_SetStatus(status.get(), TF_INTERNAL, "m");
    TF_SetPayload(status.get(), "a", "1");
    TF_SetStatus(status.get(), TF_INTERNAL, std::string(length, 'x').c_str());
    EXPECT_THAT(PayloadsOf(status), IsEmpty());
  }
}

TEST(TfStatusTest, OkTakesNoPayload) {
  StatusStorage status;
  TF_SetPayload(status.get(), "a", "1");
  EXPECT_THAT(PayloadsOf(status), IsEmpty());
}

TEST(TfStatusTest, NullPayloadsAreIgnored) {
  StatusStorage status;
  TF_SetStatus(status.get(), TF_INTERNAL, "m");
  TF_SetPayload(status.get(), nullptr, "1");
  TF_SetPayload(status.get(), "a", nullptr);
  EXPECT_THAT(PayloadsOf(status), IsEmpty());
}

TEST(TfStatusTest, DescribesAnErrnoValueAfterItsContext) {
  StatusStorage status;
  TF_SetStatusFromIOError(status.get(), ENOENT, "/a");
  EXPECT_EQ(TF_GetCode(status.get()), TF_NOT_FOUND);
  EXPECT_STREQ(TF_Message(status.get()), "/a: No such file or directory");
}

TEST(TfStatusTest, DescribesAnErrnoValueWithoutContext) {
  for (const char* context : {"", static_cast<const char*>(nullptr)}) {
    StatusStorage status;
    TF_SetStatusFromIOError(status.get(), ENOENT, context);
    EXPECT_STREQ(TF_Message(status.get()), "No such file or directory");
  }
}

TEST(TfStatusTest, AnErrnoValueOfZeroIsOk) {
  StatusStorage status;
  TF_SetStatus(status.get(), TF_INTERNAL, "m");
  TF_SetStatusFromIOError(status.get(), 0, "/a");
  EXPECT_EQ(TF_GetCode(status.get()), TF_OK);
  EXPECT_STREQ(TF_Message(status.get()), "");
}

TEST(TfStatusTest, ItsOwnMessageMayBeTheContext) {
  StatusStorage status;
  TF_SetStatus(status.get(), TF_INTERNAL, "/a");
  TF_SetStatusFromIOError(status.get(), ENOENT, TF_Message(status.get()));
  EXPECT_STREQ(TF_Message(status.get()), "/a: No such file or directory");
}

TEST(TfStatusTest, AStatusOnTheStackAllocatesNothingForShortMessages) {
  const std::string longest(StatusStorage::kInlineMessageBytes - 1, 'x');
  const size_t before = g_allocations;
  {
    StatusStorage status;
    TF_SetStatus(status.get(), TF_OK, "");
    TF_SetStatus(status.get(), TF_NOT_FOUND, longest.c_str());
    TF_SetPayload(status.get(), nullptr, nullptr);
    TF_SetStatus(status.get(), TF_INTERNAL, TF_Message(status.get()));
  }
  EXPECT_EQ(g_allocations, before);
}

TEST(TfStatusTest, OneMoreByteThanFitsInlineAllocates) {
  const std::string longer(StatusStorage::kInlineMessageBytes, 'x');
  const size_t before = g_allocations;
  {
    StatusStorage status;
    TF_SetStatus(status.get(), TF_NOT_FOUND, longer.c_str());
  }
  EXPECT_GT(g_allocations, before);
}

}  // namespace
