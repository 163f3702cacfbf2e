// A store's object that is replaced while a BufferedReader reads it.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "core/testing/memory_tree.h"
#include "fsload/buffered_reader.h"
#include "fsload/filesystem_interface.h"
#include "fsload/op.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

constexpr size_t kObjectBytes = size_t{30} << 20;

class ReplacedObjectTest : public ::testing::Test {
 protected:
  ReplacedObjectTest() {
    tree_.AddFile("/file", std::string(kObjectBytes, 'x'));
    tree_.correct_stat = [this](const std::string&, TF_FileStatistics& found) {
      found.mtime_nsec = time_;
    };
  }

  std::unique_ptr<BufferedReader> Open(const ByteRange& range = kWholeFile) {
    SchemeTables tables = MemoryTree::Tables();
    tables.traits.replaces_atomically = true;
    BufferedReaderOptions options;
    options.range = range;
    return *BufferedReader::Open(*tree_.Open(tables), "/file", options);
  }

  void Replace(size_t bytes = kObjectBytes) {
    tree_.AddFile("/file", std::string(bytes, 'y'));
    ++time_;
  }

  // Returns one of the `call`-th stat.
  static Fault StatFault(uint64_t call) {
    Fault fault{call};
    fault.op = Op::kFilesystem_stat;
    return fault;
  }

  // Reads to the end.
  static absl::Status Rest(BufferedReader& reader) {
    for (;;) {
      const absl::StatusOr<std::string_view> block = reader.ReadBlock();
      if (!block.ok() || block->empty()) return block.status();
    }
  }

  MemoryTree tree_;
  int64_t time_ = 1;
};

TEST_F(ReplacedObjectTest, IsAnErrorAtTheEndOfTheFileOrRange) {
  for (const ByteRange& range : {kWholeFile, ByteRange{5, 4 << 20}}) {
    const auto reader = Open(range);
    // The first block was read before anything was known of the object.
    ASSERT_TRUE(reader->ReadBlock().ok());
    Replace();
    const absl::Status status = Rest(*reader);
    EXPECT_EQ(status,
              absl::AbortedError("/file: the file changed while it was read, "
                                 "from 31457280 to 31457280 bytes; read it "
                                 "again (read)"));
    EXPECT_EQ(reader->status(), status);
  }
}

TEST_F(ReplacedObjectTest, IsAnErrorAgainWhenItIsReadAgain) {
  const auto reader = Open();
  ASSERT_EQ(Rest(*reader), absl::OkStatus());
  for (int i = 0; i < 2; ++i) {
    reader->Seek(0);
    ASSERT_TRUE(reader->ReadBlock().ok());
    Replace();
    EXPECT_TRUE(absl::IsAborted(Rest(*reader))) << i;
  }
}

TEST_F(ReplacedObjectTest, IsAnErrorIfOnlyItsEndWasReadBefore) {
  const auto reader = Open();
  reader->Seek(kObjectBytes - 100);
  ASSERT_EQ(Rest(*reader), absl::OkStatus());
  reader->Seek(0);
  ASSERT_TRUE(reader->ReadBlock().ok());
  Replace();
  EXPECT_TRUE(absl::IsAborted(Rest(*reader)));
}

TEST_F(ReplacedObjectTest, IsAnErrorForWhoReadsNoMoreThanItsLength) {
  for (const ByteRange& range : {kWholeFile, ByteRange{0, 4 << 20}}) {
    tree_.AddFile("/file", std::string(kObjectBytes, 'x'));
    const auto reader = Open(range);
    ASSERT_TRUE(reader->ReadBlock().ok());
    Replace(2 * kObjectBytes);
    std::string rest(
        std::min<uint64_t>(kObjectBytes, range.length) - reader->position(),
        '\0');
    EXPECT_TRUE(
        absl::IsAborted(reader->Read(rest.data(), rest.size()).status()));
    EXPECT_TRUE(absl::IsAborted(reader->ReadLine().status()));
  }
}

TEST_F(ReplacedObjectTest, IsReadOnWhereItsStateWasNotKnown) {
  const auto reader = Open();
  ASSERT_TRUE(reader->ReadBlock().ok());
  tree_.SetFault(StatFault(tree_.calls(Op::kFilesystem_stat) + 1));
  EXPECT_TRUE(absl::IsUnavailable(Rest(*reader)));
  tree_.SetFault(std::nullopt);
  const uint64_t here = reader->position();
  EXPECT_LT(here, kObjectBytes);
  reader->Seek(here);
  EXPECT_EQ(Rest(*reader), absl::OkStatus());
  EXPECT_EQ(reader->position(), kObjectBytes);
}

TEST_F(ReplacedObjectTest, IsNotAskedForWhatOneRequestHasRead) {
  const auto reader = Open({0, 1 << 20});
  tree_.SetFault(StatFault(1));
  EXPECT_EQ(Rest(*reader), absl::OkStatus());
}

TEST_F(ReplacedObjectTest, IsNotReadIfNothingIsKnownOfIt) {
  const auto reader = Open();
  tree_.SetFault(StatFault(1));
  EXPECT_TRUE(absl::IsUnavailable(Rest(*reader)));
  tree_.SetFault(std::nullopt);
  reader->Seek(0);
  EXPECT_EQ(Rest(*reader), absl::OkStatus());
}

}  // namespace
}  // namespace fsload
