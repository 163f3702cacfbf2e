#include "fsload/whole_file.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/base/config.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/filesystem_interface.h"
#include "fsload/op.h"
#include "fsload/scheme_registry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;

constexpr size_t kMebibyte = size_t{1} << 20;

SchemeTables StoreTables() {
  SchemeTables tables = MemoryTree::Tables();
  tables.traits.replaces_atomically = true;
  return tables;
}

SchemeTables RenamingTables() {
  return MemoryTree::Tables({Op::kFilesystem_rename_file});
}

// The sanitizers' allocators end the process instead.
#if !defined(ABSL_HAVE_ADDRESS_SANITIZER) && \
    !defined(ABSL_HAVE_THREAD_SANITIZER)
// By its name first, in a process that has written no file.
TEST(WholeFileDeathTest, WritesOnceThereIsMemoryAgain) {
  const auto write = [] {
    MemoryTree tree;
    const FileSystemPtr files = tree.Open();
    rlimit before;
    if (getrlimit(RLIMIT_AS, &before) != 0) _exit(1);
    const rlimit none = {0, before.rlim_max};
    if (setrlimit(RLIMIT_AS, &none) != 0) _exit(1);
    const absl::Status first = WriteFileAtomically(*files, "/file", "x");
    if (setrlimit(RLIMIT_AS, &before) != 0) _exit(1);
    std::cerr << first << "; " << WriteFileAtomically(*files, "/file", "x");
    _exit(0);
  };
  EXPECT_EXIT(write(), testing::ExitedWithCode(0),
              "^RESOURCE_EXHAUSTED: .*; OK$");
}
#endif

class ReadWholeFileTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::string> Read(int64_t max_bytes = kMaxContents) {
    return ReadWholeFile(*files_, "/file", max_bytes);
  }

  MemoryTree tree_;
  FileSystemPtr files_ = tree_.Open();
};

TEST_F(ReadWholeFileTest, YieldsTheContents) {
  for (const size_t bytes :
       {size_t{0}, size_t{5}, kMebibyte, 20 * kMebibyte + 1}) {
    const std::string contents(bytes, 'x');
    tree_.AddFile("/file", contents);
    const SchemeTables kinds[] = {MemoryTree::Tables(), StoreTables()};
    for (const SchemeTables& tables : kinds) {
      const auto read = ReadWholeFile(*tree_.Open(tables), "/file");
      ASSERT_EQ(read.status(), absl::OkStatus());
      EXPECT_TRUE(*read == contents);
    }
  }
}

TEST_F(ReadWholeFileTest, RefusesAFileThatIsTooLong) {
  tree_.AddFile("/file", "12345");
  EXPECT_EQ(*Read(5), "12345");
  const absl::Status error = absl::ResourceExhaustedError(
      "/file: the file has more than 4 bytes, the limit for reading it whole "
      "(read)");
  EXPECT_EQ(Read(4).status(), error);
  EXPECT_EQ(Read(-1).status().code(), absl::StatusCode::kResourceExhausted);
  // Also if it does not say so.
  tree_.correct_stat = [](const std::string&, TF_FileStatistics& found) {
    found.length = 0;
  };
  EXPECT_EQ(Read(4).status(), error);
  EXPECT_EQ(*Read(5), "12345");
}

TEST_F(ReadWholeFileTest, RefusesADirectory) {
  tree_.AddDirectory("/file");
  EXPECT_EQ(Read().status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(ReadWholeFileTest, SaysThatThePluginEndedTheFileTooEarly) {
  tree_.AddFile("/file", "12345");
  tree_.correct_stat = [](const std::string&, TF_FileStatistics& found) {
    found.length = 7;
  };
  EXPECT_EQ(Read().status(),
            absl::DataLossError("/file: the plugin reported end of file after "
                                "5 of 7 bytes (read)"));
  SchemeTables exact = MemoryTree::Tables();
  exact.traits.is_exact = true;
  files_ = tree_.Open(exact);
  EXPECT_EQ(*Read(), "12345");
}

TEST_F(ReadWholeFileTest, SaysThatThereIsMoreThanThePluginSays) {
  tree_.AddFile("/file", "12345");
  tree_.correct_stat = [](const std::string&, TF_FileStatistics& found) {
    found.length = 3;
  };
  EXPECT_EQ(Read().status(),
            absl::DataLossError("/file: the plugin reported a length of 3 "
                                "bytes, and read 5 (read)"));
}

TEST_F(ReadWholeFileTest, SaysThatTheFileChanged) {
  tree_.AddFile("/file", "12345");
  int64_t time = 0;
  tree_.correct_stat = [&](const std::string&, TF_FileStatistics& found) {
    found.mtime_nsec = ++time;
  };
  EXPECT_EQ(
      Read().status(),
      absl::AbortedError("/file: the file changed while it was read, from "
                         "5 to 5 bytes; read it again (read)"));
  tree_.correct_stat = nullptr;
  tree_.after_call = [this](Op op, uint64_t) {
    if (op == Op::kRandomAccessFile_read) tree_.AddFile("/file", "123456");
  };
  EXPECT_EQ(Read().status().code(), absl::StatusCode::kAborted);
}

TEST_F(ReadWholeFileTest, FailsWhicheverCallDoes) {
  tree_.AddFile("/file", "12345");
  for (uint64_t call = 1; call <= 4; ++call) {
    tree_.ForgetCalls();
    tree_.fault = Fault{call};
    const absl::Status status = Read().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << call;
    EXPECT_THAT(std::string(status.message()), HasSubstr("/file: injected"));
  }
}

TEST_F(ReadWholeFileTest, BelievesNoLengthWithoutBytes) {
  tree_.AddFile("/file", "12345");
  tree_.correct_stat = [](const std::string&, TF_FileStatistics& found) {
    found.length = INT64_MAX;
  };
  EXPECT_EQ(Read(INT64_MAX).status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(ReadWholeFileTest, FindsTheFileSystemOfAUri) {
  SchemeRegistry registry;
  ASSERT_EQ(registry.Register({files_}), absl::OkStatus());
  const std::string uri = "tree:///file";
  EXPECT_EQ(WriteWholeFile(uri, "1", registry), absl::OkStatus());
  EXPECT_EQ(*ReadWholeFile(uri, 10, registry), "1");
  EXPECT_EQ(WriteFileAtomically(uri, "2", registry), absl::OkStatus());
  EXPECT_EQ(*ReadWholeFile(uri, 10, registry), "2");
  for (const absl::Status& status :
       {ReadWholeFile("no://x", 10, registry).status(),
        WriteWholeFile("no://x", "", registry),
        WriteFileAtomically("no://x", "", registry)}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  }
}

TEST(WriteWholeFileTest, WritesWithThreeCalls) {
  MemoryTree tree;
  for (const std::string contents : {"", "text"}) {
    tree.ForgetCalls();
    EXPECT_EQ(WriteWholeFile(*tree.Open(), "/file", contents),
              absl::OkStatus());
    EXPECT_EQ(*tree.Contents("/file"), contents);
    EXPECT_EQ(tree.calls(), 3);
  }
}

TEST(WriteWholeFileTest, PublishesNothingIfItCannotWriteAll) {
  MemoryTree tree;
  tree.deviations.commits_on_close = true;
  tree.deviations.capacity = 3;
  EXPECT_EQ(WriteWholeFile(*tree.Open(StoreTables()), "/file", "text"),
            absl::ResourceExhaustedError("/file: it is full (append)"));
  EXPECT_FALSE(tree.Exists("/file"));
}

// How a plugin can replace a file.
struct Kind {
  const char* name;
  SchemeTables (*tables)();
  bool commits_on_close;
};

class WriteFileAtomicallyTest : public ::testing::TestWithParam<Kind> {
 protected:
  void Reset() {
    tree_.Clear();
    tree_.deviations.commits_on_close = GetParam().commits_on_close;
    tree_.AddFile("/d/neighbour", "another");
  }

  absl::Status Write(std::string_view contents) {
    return WriteFileAtomically(*files_, "/d/file", contents);
  }

  // Paths below /d that are left, but the file and its neighbour.
  std::vector<std::string> Left() const {
    std::vector<std::string> left;
    for (const auto& [path, kind] : tree_.Snapshot()) {
      if (path.find("fsload-") != std::string::npos) left.push_back(path);
    }
    return left;
  }

  MemoryTree tree_;
  const FileSystemPtr files_ = tree_.Open(GetParam().tables());
};

INSTANTIATE_TEST_SUITE_P(
    Kinds, WriteFileAtomicallyTest,
    ::testing::Values(Kind{"renames", RenamingTables, false},
                      Kind{"store", StoreTables, true},
                      Kind{"leaves", [] { return MemoryTree::Tables(); },
                           false}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(WriteFileAtomicallyTest, WritesNewAndExistingFiles) {
  for (const size_t bytes : {size_t{0}, size_t{4}, 3 * kMebibyte + 1}) {
    const std::string contents(bytes, 'x');
    for (const char* old : {"", "old", "long old contents"}) {
      Reset();
      if (*old != '\0') tree_.AddFile("/d/file", old);
      ASSERT_EQ(Write(contents), absl::OkStatus());
      EXPECT_TRUE(*tree_.Contents("/d/file") == contents);
      EXPECT_TRUE(Left().empty());
      EXPECT_EQ(*tree_.Contents("/d/neighbour"), "another");
    }
  }
}

// Each call in turn fails, before or after it has taken effect.
TEST_P(WriteFileAtomicallyTest, LeavesWhatWasThereWhicheverCallFails) {
  for (const std::string old : {"", "old"}) {
    for (const Fault::When when : {Fault::When::kBefore, Fault::When::kAfter}) {
      for (uint64_t call = 1;; ++call) {
        Reset();
        if (!old.empty()) tree_.AddFile("/d/file", old);
        tree_.ForgetCalls();
        tree_.fault = Fault{call, when};
        const absl::Status status = Write("new contents");
        if (tree_.calls() < call) break;
        tree_.fault.reset();
        const auto found = tree_.Contents("/d/file");
        const std::string now = found == nullptr ? "" : *found;
        if (status.ok()) {
          EXPECT_EQ(now, "new contents") << call;
        } else {
          EXPECT_THAT(std::string(status.message()), HasSubstr("/d/file"));
        }
        // The file is one or the other, or the error says where they are.
        for (const std::string& path : Left()) {
          EXPECT_THAT(std::string(status.message()), HasSubstr(path)) << call;
        }
        if (now != old && now != "new contents") {
          EXPECT_THAT(std::string(status.message()),
                      HasSubstr("/d/file is damaged"))
              << call;
        }
      }
    }
  }
}

TEST_P(WriteFileAtomicallyTest, LeavesWhatWasThereIfThereIsNoRoom) {
  for (const std::string old : {"", "old"}) {
    Reset();
    if (!old.empty()) tree_.AddFile("/d/file", old);
    tree_.deviations.capacity = 5;
    const absl::Status status = Write("new contents");
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_EQ(std::string(status.message()).rfind("/d/file: ", 0), 0) << status;
    EXPECT_EQ(tree_.Exists("/d/file"), !old.empty());
    if (tree_.Exists("/d/file")) {
      EXPECT_EQ(*tree_.Contents("/d/file"), old);
    }
    EXPECT_TRUE(Left().empty());
  }
}

TEST_P(WriteFileAtomicallyTest, RefusesADirectory) {
  Reset();
  tree_.AddDirectory("/d/file");
  EXPECT_EQ(Write("new").code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(Left().empty());
}

// What was written is not what is there, or nothing is.
TEST_P(WriteFileAtomicallyTest, AsksForWhatItHasWritten) {
  for (const Op last : {Op::kWritableFile_close, Op::kFilesystem_rename_file}) {
    if (last == Op::kFilesystem_rename_file &&
        GetParam().tables().filesystem.rename_file == nullptr) {
      continue;
    }
    for (const bool vanishes : {false, true}) {
      Reset();
      tree_.after_call = [&](Op op, uint64_t) {
        if (op != last) return;
        for (const auto& [path, kind] : tree_.Snapshot()) {
          if (path.find("neighbour") != std::string::npos ||
              tree_.Contents(path) == nullptr) {
            continue;
          }
          tree_.Contents(path)->resize(3);
          if (vanishes) {
            EXPECT_EQ(tree_.Open()->DeleteFile(path), absl::OkStatus());
          }
        }
      };
      const absl::Status status = Write("new contents");
      EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr(vanishes ? "but nothing is there" : "found 3"));
      EXPECT_TRUE(Left().empty());
    }
  }
}

TEST(WriteFileAtomicallyErrors, NameTheOperationsThatAreMissing) {
  MemoryTree tree;
  SchemeTables tables = MemoryTree::Tables();
  tables.filesystem.new_writable_file = nullptr;
  const absl::Status status =
      WriteFileAtomically(*tree.Open(tables), "/file", "text");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("new_writable_file"));
}

}  // namespace
}  // namespace fsload
