#include "compat/io_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "fsload/tf_status.h"

namespace fsload {
namespace {

using ::testing::StartsWith;

constexpr int kLastErrno = 133;  // EHWPOISON

// A second copy, so that no change of the table goes unnoticed.
const std::map<TF_Code, std::set<int>>& ErrnoOfCode() {
  static const auto& table = *new std::map<TF_Code, std::set<int>>{
      {TF_NOT_FOUND, {ENOENT}},
      {TF_ALREADY_EXISTS, {EEXIST}},
      {TF_PERMISSION_DENIED, {EACCES, EPERM, EROFS}},
      {TF_FAILED_PRECONDITION,
       {ENOTDIR, EISDIR, ENOTEMPTY, EBUSY, EXDEV, ELOOP}},
      {TF_INVALID_ARGUMENT, {EINVAL, ENAMETOOLONG, EBADF}},
      {TF_RESOURCE_EXHAUSTED,
       {ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM, EMLINK}},
      {TF_DEADLINE_EXCEEDED, {ETIMEDOUT}},
      {TF_UNAVAILABLE,
       {EAGAIN, EINTR, ECONNREFUSED, ECONNRESET, ENETUNREACH, EHOSTUNREACH}},
      {TF_UNIMPLEMENTED, {ENOSYS, EOPNOTSUPP}},
      {TF_OUT_OF_RANGE, {ERANGE, EOVERFLOW}},
      {TF_CANCELLED, {ECANCELED}},
  };
  return table;
}

bool IsInTable(int error_code) {
  for (const auto& [code, numbers] : ErrnoOfCode()) {
    if (numbers.count(error_code) != 0) return true;
  }
  return false;
}

TEST(IoErrorTest, EveryErrnoValueOfTheTableHasItsCode) {
  for (const auto& [code, numbers] : ErrnoOfCode()) {
    for (const int number : numbers) {
      EXPECT_EQ(DescribeIoError(number).code, code) << strerrorname_np(number);
    }
  }
}

TEST(IoErrorTest, AnErrnoValueOfTheTableHasTheSystemsText) {
  for (const auto& [code, numbers] : ErrnoOfCode()) {
    for (const int number : numbers) {
      EXPECT_EQ(DescribeIoError(number).text, strerrordesc_np(number));
    }
  }
}

TEST(IoErrorTest, EveryOtherErrnoValueIsUnknown) {
  for (int number = 1; number <= kLastErrno; ++number) {
    if (IsInTable(number)) continue;
    EXPECT_EQ(DescribeIoError(number).code, TF_UNKNOWN) << number;
  }
}

TEST(IoErrorTest, AnUnknownErrnoValueIsNamed) {
  for (int number = 1; number <= kLastErrno; ++number) {
    // 41 and 58 never had a meaning.
    if (IsInTable(number) || strerrorname_np(number) == nullptr) continue;
    EXPECT_THAT(DescribeIoError(number).text,
                StartsWith(std::string(strerrorname_np(number)) + ": "));
  }
}

TEST(IoErrorTest, AnErrnoValueWithoutAMeaningIsShownAsItsNumber) {
  for (const int number : {41, 58, 4999, 5000, -1}) {
    const IoError error = DescribeIoError(number);
    EXPECT_EQ(error.code, TF_UNKNOWN);
    EXPECT_THAT(error.text, StartsWith("errno " + std::to_string(number)));
  }
}

}  // namespace
}  // namespace fsload
