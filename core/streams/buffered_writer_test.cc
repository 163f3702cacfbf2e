#include "fsload/buffered_writer.h"

#include <cstdint>
#include <memory>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "absl/base/config.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/op.h"
#include "fsload/scheme_registry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

class BufferedWriterTest : public ::testing::Test {
 protected:
  // A store that publishes objects when they are closed.
  static SchemeTables StoreTables() {
    SchemeTables tables = MemoryTree::Tables();
    tables.traits.replaces_atomically = true;
    return tables;
  }

  std::unique_ptr<BufferedWriter> Open(
      const BufferedWriterOptions& options = {},
      const SchemeTables& tables = MemoryTree::Tables()) {
    auto writer = BufferedWriter::Open(*tree_.Open(tables), "/file", options);
    EXPECT_EQ(writer.status(), absl::OkStatus());
    tree_.ForgetCalls();
    return *std::move(writer);
  }

  // "" if there is no file.
  std::string Contents() const {
    const auto contents = tree_.Contents("/file");
    return contents == nullptr ? "" : *contents;
  }

  uint64_t Appends() const { return tree_.calls(Op::kWritableFile_append); }

  MemoryTree tree_;
};

TEST_F(BufferedWriterTest, WritesWhatIsAppendedWhateverTheSizes) {
  std::mt19937 random(7);  // NOLINT: the same each time
  for (const size_t buffer_bytes : {0, 1, 10, 1000}) {
    const auto writer = Open({buffer_bytes});
    std::string expected;
    for (int i = 0; i < 200; ++i) {
      const std::string piece(random() % (i % 10 == 0 ? 2500 : 20),
                              static_cast<char>('a' + i % 26));
      ASSERT_EQ(writer->Append(piece), absl::OkStatus());
      expected += piece;
      ASSERT_EQ(writer->bytes(), expected.size());
    }
    ASSERT_EQ(writer->Close(), absl::OkStatus());
    EXPECT_EQ(Contents(), expected);
  }
}

TEST_F(BufferedWriterTest, PassesOnAFullBufferAndLargePieces) {
  const auto writer = Open({10});
  for (int i = 0; i < 10; ++i) ASSERT_EQ(writer->Append("x"), absl::OkStatus());
  EXPECT_EQ(Appends(), 0);
  ASSERT_EQ(writer->Append("y"), absl::OkStatus());
  EXPECT_EQ(Contents(), "xxxxxxxxxx");
  ASSERT_EQ(writer->Append("0123456789"), absl::OkStatus());
  EXPECT_EQ(Contents(), "xxxxxxxxxxy0123456789");
  EXPECT_EQ(Appends(), 3);
}

#ifndef ABSL_HAVE_ADDRESS_SANITIZER  // which ends the process
TEST_F(BufferedWriterTest, KeepsTheOldFileIfThereIsNoMemoryForTheBuffer) {
  tree_.AddFile("/file", "old");
  EXPECT_THROW(Open({size_t{1} << 62}), std::bad_alloc);
  EXPECT_EQ(Contents(), "old");
}
#endif

TEST_F(BufferedWriterTest, FlushesTheBufferAndThePlugin) {
  const auto writer = Open();
  ASSERT_EQ(writer->Append("text"), absl::OkStatus());
  EXPECT_EQ(Contents(), "");
  ASSERT_EQ(writer->Flush(), absl::OkStatus());
  EXPECT_EQ(Contents(), "text");
}

TEST_F(BufferedWriterTest, MakesAnEmptyFileByAppendingNothing) {
  const auto writer = Open();
  ASSERT_EQ(writer->Close(), absl::OkStatus());
  EXPECT_EQ(Appends(), 1);
}

TEST_F(BufferedWriterTest, ClosesTheFileWhenItGoes) {
  ASSERT_EQ(Open()->Append("text"), absl::OkStatus());
  EXPECT_EQ(Contents(), "text");
  EXPECT_EQ(tree_.calls(Op::kWritableFile_close), 1);
}

TEST_F(BufferedWriterTest, IsClosedOnce) {
  const auto writer = Open();
  ASSERT_EQ(writer->Close(), absl::OkStatus());
  for (const absl::Status& status :
       {writer->Append("x"), writer->Flush(), writer->Close()}) {
    EXPECT_EQ(status, absl::FailedPreconditionError(
                          "/file: the file is already closed (append)"));
  }
  EXPECT_EQ(tree_.calls(Op::kWritableFile_close), 1);
}

TEST_F(BufferedWriterTest, KeepsAnErrorAndPublishesNothing) {
  tree_.deviations.commits_on_close = true;
  for (uint64_t call = 1; call <= 3; ++call) {
    auto writer = Open({4}, StoreTables());
    tree_.fault = Fault{call};
    absl::Status status;
    for (int i = 0; i < 4 && status.ok(); ++i) status = writer->Append("1234");
    tree_.fault.reset();
    EXPECT_EQ(status, absl::UnavailableError("/file: injected (append)"));
    EXPECT_EQ(writer->Append("more"), status);
    EXPECT_EQ(writer->Flush(), status);
    EXPECT_EQ(writer->Close(), status);
    EXPECT_EQ(writer->status(), status);
    writer = nullptr;
    EXPECT_FALSE(tree_.Exists("/file")) << call;
    EXPECT_EQ(tree_.calls(Op::kWritableFile_close), 0);
  }
}

TEST_F(BufferedWriterTest, SaysThatThereIsNoRoom) {
  tree_.deviations.capacity = 10;
  const auto writer = Open({4});
  ASSERT_EQ(writer->Append("0123456789"), absl::OkStatus());
  ASSERT_EQ(writer->Append("a"), absl::OkStatus());
  EXPECT_EQ(writer->Close(),
            absl::ResourceExhaustedError("/file: it is full (append)"));
}

TEST_F(BufferedWriterTest, SaysThatClosingFailed) {
  const auto writer = Open();
  ASSERT_EQ(writer->Append("text"), absl::OkStatus());
  tree_.fault = Fault{2};
  EXPECT_EQ(writer->Close(), absl::UnavailableError("/file: injected (close)"));
  EXPECT_EQ(writer->status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(BufferedWriterTest, PublishesNothingThatIsDiscarded) {
  tree_.deviations.commits_on_close = true;
  const auto writer = Open({}, StoreTables());
  ASSERT_EQ(writer->Append("text"), absl::OkStatus());
  writer->Discard();
  EXPECT_FALSE(tree_.Exists("/file"));
  EXPECT_EQ(writer->Close().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(BufferedWriterTest, PublishesNothingWhileAnExceptionUnwindsTheStack) {
  tree_.deviations.commits_on_close = true;
  try {
    const auto writer = Open({}, StoreTables());
    ASSERT_EQ(writer->Append("half"), absl::OkStatus());
    throw std::runtime_error("the other half is missing");
  } catch (const std::runtime_error&) {
  }
  EXPECT_FALSE(tree_.Exists("/file"));
}

TEST_F(BufferedWriterTest, NeedsNoClose) {
  SchemeTables tables = MemoryTree::Tables();
  tables.writable_file.close = nullptr;
  const auto writer = Open({}, tables);
  ASSERT_EQ(writer->Append("text"), absl::OkStatus());
  EXPECT_EQ(writer->Close(), absl::OkStatus());
  EXPECT_EQ(Contents(), "text");
}

TEST_F(BufferedWriterTest, FindsTheFileSystemOfAUri) {
  SchemeRegistry registry;
  EXPECT_EQ(BufferedWriter::Open("nothing://x", {}, registry).status().code(),
            absl::StatusCode::kNotFound);
  ASSERT_EQ(registry.Register({tree_.Open()}), absl::OkStatus());
  const auto writer = BufferedWriter::Open("tree:///file", {}, registry);
  ASSERT_EQ(writer.status(), absl::OkStatus());
  EXPECT_EQ((*writer)->uri(), "tree:///file");
  EXPECT_EQ(
      BufferedWriter::Open("tree:///no/folder", {}, registry).status().code(),
      absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace fsload
