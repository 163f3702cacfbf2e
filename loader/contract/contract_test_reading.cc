// Files opened for reading, and memory regions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "loader/contract/contract_test.h"

namespace fsload {
namespace {

std::string Bytes(size_t count) {
  std::string bytes(count, '\0');
  for (size_t i = 0; i < count; ++i)
    bytes[i] = static_cast<char>(i * 7 + i / 251);
  return bytes;
}

// The result of one read, between bytes that it must not touch.
std::string ReadAt(const RandomAccessFile& file, uint64_t offset, size_t n) {
  constexpr char kCanary = '\x5a';
  std::string buffer(n + 2, kCanary);
  const auto bytes = file.Read(offset, n, buffer.data() + 1);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_EQ(buffer.front(), kCanary);
  EXPECT_EQ(buffer.back(), kCanary);
  return bytes.ok() ? buffer.substr(1, *bytes) : bytes.status().ToString();
}

void ReadsUpToNBytesAtAnOffset(Contract& t) {
  t.Put("file", "0123456789");
  const auto file = t.fs.NewRandomAccessFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(ReadAt(**file, 0, 10), "0123456789");
  EXPECT_EQ(ReadAt(**file, 3, 4), "3456");
  EXPECT_EQ(ReadAt(**file, 9, 1), "9");
}

void ReadsFewerBytesOnlyAtTheEnd(Contract& t) {
  t.Put("file", "0123456789");
  const auto file = t.fs.NewRandomAccessFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(ReadAt(**file, 8, 100), "89");
  EXPECT_EQ(ReadAt(**file, 10, 1), "");
  EXPECT_EQ(ReadAt(**file, 11, 5), "");
  EXPECT_EQ(ReadAt(**file, uint64_t{1} << 62, 5), "");
}

void ReadsNothingWhenNothingIsAskedFor(Contract& t) {
  t.Put("file", "0123456789");
  const auto file = t.fs.NewRandomAccessFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(ReadAt(**file, 0, 0), "");
  EXPECT_EQ(ReadAt(**file, 10, 0), "");
}

void ReadsFilesOfAllSizesWhole(Contract& t) {
  for (const size_t size : {0, 1, 4095, 4096, 4097, (1 << 20) + 1}) {
    const std::string contents = Bytes(size);
    t.Put("file", contents);
    const auto file = t.fs.NewRandomAccessFile(t.Uri("file"));
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_TRUE(ReadAt(**file, 0, size + 1) == contents) << size;
  }
}

void ReadsOneFileFromManyThreads(Contract& t) {
  const std::string contents = Bytes(10'000);
  t.Put("file", contents);
  const auto file = t.fs.NewRandomAccessFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  std::vector<std::thread> threads;
  for (size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (size_t offset = i; offset < contents.size(); offset += 997) {
        EXPECT_EQ(ReadAt(**file, offset, 100), contents.substr(offset, 100));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void OpeningWhatIsMissingIsNotFound(Contract& t) {
  ExpectError(t.fs.NewRandomAccessFile(t.Uri("none")).status(), kNotFound,
              "new_random_access_file(" + t.Uri("none") + "): ");
  ExpectError(t.fs.NewRandomAccessFile(t.Uri("none/file")).status(), kNotFound,
              t.Uri("none/file"));
}

void OpeningADirectoryIsAFailedPrecondition(Contract& t) {
  t.PutDir("dir");
  t.Put("file", "a");
  ExpectError(t.fs.NewRandomAccessFile(t.Uri("dir")).status(), kFailed,
              t.Uri("dir"));
  ExpectError(t.fs.NewRandomAccessFile(t.Uri("file/below")).status(), kFailed,
              t.Uri("file/below"));
}

void AnOpenFileOutlivesItsName(Contract& t) {
  t.Put("file", "contents");
  const auto file = t.fs.NewRandomAccessFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(t.fs.DeleteFile(t.Uri("file")), absl::OkStatus());
  EXPECT_EQ((*file)->uri(), t.Uri("file"));
  EXPECT_EQ(ReadAt(**file, 0, 8), "contents");
}

std::string_view TextOf(const ReadOnlyMemoryRegion& region) {
  return {static_cast<const char*>(region.data()), region.length()};
}

void ARegionHoldsTheWholeFile(Contract& t) {
  const std::string contents = Bytes(10'000);
  t.Put("file", contents);
  const auto region = t.fs.NewReadOnlyMemoryRegionFromFile(t.Uri("file"));
  ASSERT_TRUE(region.ok()) << region.status();
  EXPECT_TRUE(TextOf(**region) == contents);
  EXPECT_EQ((*region)->uri(), t.Uri("file"));
}

void ARegionOfAnEmptyFileIsAnInvalidArgument(Contract& t) {
  t.Put("empty", "");
  ExpectError(t.fs.NewReadOnlyMemoryRegionFromFile(t.Uri("empty")).status(),
              kInvalid, t.Uri("empty"));
}

void ARegionOfNoFileIsAnError(Contract& t) {
  t.PutDir("dir");
  t.Put("file", "a");
  const auto status = [&](const char* name) {
    return t.fs.NewReadOnlyMemoryRegionFromFile(t.Uri(name)).status();
  };
  ExpectError(status("none"), kNotFound, t.Uri("none"));
  ExpectError(status("none/file"), kNotFound, t.Uri("none/file"));
  ExpectError(status("dir"), kFailed, t.Uri("dir"));
  ExpectError(status("file/below"), kFailed, t.Uri("file/below"));
}

void ARegionMayBeReadByManyThreads(Contract& t) {
  const std::string contents = Bytes(10'000);
  t.Put("file", contents);
  const auto region = t.fs.NewReadOnlyMemoryRegionFromFile(t.Uri("file"));
  ASSERT_TRUE(region.ok()) << region.status();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] { EXPECT_TRUE(TextOf(**region) == contents); });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

std::vector<Clause> ReadingClauses() {
  return {
      FSLOAD_CLAUSE(ReadsUpToNBytesAtAnOffset, kOpen, kRead),
      FSLOAD_CLAUSE(ReadsFewerBytesOnlyAtTheEnd, kOpen, kRead),
      FSLOAD_CLAUSE(ReadsNothingWhenNothingIsAskedFor, kOpen, kRead),
      FSLOAD_CLAUSE(ReadsFilesOfAllSizesWhole, kOpen, kRead),
      FSLOAD_CLAUSE(ReadsOneFileFromManyThreads, kOpen, kRead),
      FSLOAD_CLAUSE(OpeningWhatIsMissingIsNotFound, kOpen),
      FSLOAD_CLAUSE(OpeningADirectoryIsAFailedPrecondition, kOpen),
      FSLOAD_CLAUSE(AnOpenFileOutlivesItsName, kOpen, kRead, kDeleteFile),
      FSLOAD_CLAUSE(ARegionHoldsTheWholeFile, kRegion),
      FSLOAD_CLAUSE(ARegionOfAnEmptyFileIsAnInvalidArgument, kRegion),
      FSLOAD_CLAUSE(ARegionOfNoFileIsAnError, kRegion),
      FSLOAD_CLAUSE(ARegionMayBeReadByManyThreads, kRegion),
  };
}

}  // namespace fsload
