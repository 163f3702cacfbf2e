// What methods may return, and what the host is told of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compat/plugin_sdk/test_host.h"

namespace fsload::plugin {
namespace {

using ::testing::ElementsAre;

// --- Reading and appending in parts ---

// What Read yields: up to `most` bytes of `contents`, or `fixed` if that is not
// 0.
struct Parts {
  std::string contents = "0123456789";
  size_t most = 3;
  int64_t fixed = 0;
  int calls = 0;
};
Parts parts;

struct PartReader {
  int64_t Read(uint64_t offset, size_t n, char* buffer) {
    ++parts.calls;
    if (parts.fixed != 0) return parts.fixed;
    const std::string_view contents = parts.contents;
    const auto part = contents.substr(std::min(offset, contents.size()),
                                      std::min(n, parts.most));
    std::memcpy(buffer, part.data(), part.size());
    return part.size();
  }
};

struct PartWriter {
  int64_t Append(const char* data, size_t n) {
    ++parts.calls;
    if (parts.fixed != 0) return parts.fixed;
    const size_t taken = std::min(n, parts.most);
    parts.contents.append(data, taken);
    return taken;
  }
  void Close() {}
};

struct PartFiles {
  std::unique_ptr<PartReader> NewRandomAccessFile(const std::string&) {
    return std::make_unique<PartReader>();
  }
  std::unique_ptr<PartWriter> NewWritableFile(const std::string& path) {
    return path == "/null" ? nullptr : std::make_unique<PartWriter>();
  }
};

class PartsTest : public ::testing::Test {
 protected:
  PartsTest() {
    parts = Parts();
    host_.ops().new_random_access_file(&host_.filesystem, "/f", &reader_,
                                       host_.status.get());
    host_.ops().new_writable_file(&host_.filesystem, "/f", &writer_,
                                  host_.status.get());
  }
  ~PartsTest() override {
    host_.entry().random_access_file_ops->cleanup(&reader_);
    host_.entry().writable_file_ops->cleanup(&writer_);
  }

  // The bytes read, the code and the message.
  std::string Read(uint64_t offset, size_t n) {
    std::string buffer(n, '.');
    const int64_t got = host_.entry().random_access_file_ops->read(
        &reader_, offset, n, buffer.data(), host_.status.get());
    if (got < 0) return std::to_string(got) + " " + Outcome();
    return buffer.substr(0, got) + " " + Outcome();
  }
  std::string Append(std::string_view data) {
    host_.entry().writable_file_ops->append(&writer_, data.data(), data.size(),
                                            host_.status.get());
    return Outcome();
  }
  std::string Outcome() {
    return std::to_string(host_.code()) + " " + host_.message();
  }

  TestHost<PartFiles> host_;
  TF_RandomAccessFile reader_ = {};
  TF_WritableFile writer_ = {};
};

TEST_F(PartsTest, OfAReadArePutTogether) {
  EXPECT_EQ(Read(0, 10), "0123456789 0 ");
  EXPECT_EQ(parts.calls, 4);
  EXPECT_EQ(Read(2, 4), "2345 0 ");
  EXPECT_EQ(Read(0, 0), " 0 ");
}

// L229
TEST_F(PartsTest, OfAReadEndAtTheEndOfTheFile) {
  EXPECT_EQ(Read(8, 5), "89 11 reached the end of the file");
  EXPECT_EQ(Read(10, 5), " 11 reached the end of the file");
  EXPECT_EQ(Read(99, 5), " 11 reached the end of the file");
}

TEST_F(PartsTest, OfAReadThatCannotBeAreRefused) {
  parts.fixed = 5;
  EXPECT_EQ(Read(0, 4), "-1 13 Read returned 5 for 4 bytes");
  parts.fixed = -1;
  EXPECT_EQ(Read(0, 4), "-1 13 Read returned -1 for 4 bytes");
}

TEST_F(PartsTest, OfAnAppendAreAskedForUntilAllIsTaken) {
  EXPECT_EQ(Append("abcdefgh"), "0 ");
  EXPECT_EQ(parts.contents, "0123456789abcdefgh");
  EXPECT_EQ(parts.calls, 3);
}

TEST_F(PartsTest, OfAnAppendThatCannotBeAreRefused) {
  parts.most = 0;
  EXPECT_EQ(Append("abc"), "8 3 bytes could not be written");  // L258
  parts.fixed = 4;
  EXPECT_EQ(Append("abc"), "13 Append returned 4 for 3 bytes");
  parts.fixed = -1;
  EXPECT_EQ(Append("abc"), "13 Append returned -1 for 3 bytes");
}

TEST_F(PartsTest, OfAFileThatIsANullPointerThereAreNone) {
  TF_WritableFile file = {};
  host_.ops().new_writable_file(&host_.filesystem, "/null", &file,
                                host_.status.get());
  EXPECT_EQ(Outcome(), "13 NewWritableFile returned a null pointer");
  EXPECT_EQ(file.plugin_file, nullptr);
}

// --- Statuses and results ---

// The same, in each kind of status and result.
struct OwnKinds {
  using Status = plugin::Status;
  template <typename T>
  using Result = plugin::Result<T>;
  static Status NotFound() { return Status(TF_NOT_FOUND, "gone"); }
};
struct AbslKinds {
  using Status = absl::Status;
  template <typename T>
  using Result = absl::StatusOr<T>;
  static Status NotFound() { return absl::NotFoundError("gone"); }
};

template <typename Kinds>
struct Returning {
  struct File {
    typename Kinds::template Result<size_t> Read(uint64_t, size_t, char*) {
      return Kinds::NotFound();
    }
  };

  typename Kinds::Status Answer(const std::string& path) {
    return path == "/there" ? typename Kinds::Status() : Kinds::NotFound();
  }
  template <typename T>
  typename Kinds::template Result<T> Answer(const std::string& path, T value) {
    if (path == "/there") return value;
    return Kinds::NotFound();
  }

  typename Kinds::Status DeleteFile(const std::string& path) {
    return Answer(path);
  }
  typename Kinds::Status PathExists(const std::string& path) {
    return Answer(path);
  }
  std::vector<typename Kinds::Status> PathsExist(
      const std::vector<std::string>& paths) {
    std::vector<typename Kinds::Status> all;
    for (const std::string& path : paths) all.push_back(Answer(path));
    return all;
  }
  typename Kinds::template Result<bool> IsDirectory(const std::string& path) {
    return Answer(path, true);
  }
  typename Kinds::template Result<std::string> TranslateName(
      const std::string& uri) {
    return Answer<std::string>(uri, "translated");
  }
  typename Kinds::template Result<std::unique_ptr<File>> NewRandomAccessFile(
      const std::string& path) {
    if (path != "/there") return Kinds::NotFound();
    return std::make_unique<File>();
  }
};

template <typename Kinds>
class KindsTest : public ::testing::Test {
 protected:
  template <typename Call>
  std::string Outcome(Call call) {
    call();
    return std::to_string(host_.code()) + " " + host_.message();
  }
  TestHost<Returning<Kinds>> host_;
};
using AllKinds = ::testing::Types<OwnKinds, AbslKinds>;
TYPED_TEST_SUITE(KindsTest, AllKinds);

TYPED_TEST(KindsTest, SayThatThereIsNothing) {
  auto& host = this->host_;
  const auto both = [&](const char* path) {
    return this->Outcome([&] {
      host.ops().delete_file(&host.filesystem, path, host.status.get());
    }) + ", " +
           this->Outcome([&] {
             host.ops().path_exists(&host.filesystem, path, host.status.get());
           });
  };
  EXPECT_EQ(both("/there"), "0 , 0 ");
  EXPECT_EQ(both("/gone"), "5 gone, 5 gone");
}

TYPED_TEST(KindsTest, YieldAValueOrAnError) {
  auto& host = this->host_;
  bool is_directory = false;
  const auto ask = [&](const char* path) {
    return this->Outcome([&] {
      is_directory =
          host.ops().is_directory(&host.filesystem, path, host.status.get());
    });
  };
  EXPECT_EQ(ask("/there"), "0 ");
  EXPECT_TRUE(is_directory);
  EXPECT_EQ(ask("/gone"), "5 gone");
  EXPECT_FALSE(is_directory);
}

TYPED_TEST(KindsTest, YieldFilesThatFailLikewise) {
  auto& host = this->host_;
  TF_RandomAccessFile file = {};
  const auto open = [&](const char* path) {
    return this->Outcome([&] {
      host.ops().new_random_access_file(&host.filesystem, path, &file,
                                        host.status.get());
    });
  };
  EXPECT_EQ(open("/gone"), "5 gone");
  EXPECT_EQ(open("/there"), "0 ");
  const TF_RandomAccessFileOps& ops = *host.entry().random_access_file_ops;
  char byte;
  EXPECT_EQ(ops.read(&file, 0, 1, &byte, host.status.get()), -1);
  EXPECT_EQ(host.code(), TF_NOT_FOUND);
  ops.cleanup(&file);
}

TYPED_TEST(KindsTest, LeaveANameThatCannotBeTranslatedAsItWas) {
  auto& host = this->host_;
  const auto translate = [&](const char* uri) {
    char* const name = host.ops().translate_name(&host.filesystem, uri);
    const std::string copy = name;
    host.Free(name);
    return copy;
  };
  EXPECT_EQ(translate("/there"), "translated");
  EXPECT_EQ(translate("test://gone"), "test://gone");
}

TYPED_TEST(KindsTest, AnswerForEachOfSeveralPaths) {
  auto& host = this->host_;
  char there[] = "/there";
  char gone[] = "/gone";
  char* paths[] = {there, gone, there};
  const StatusPointer statuses[] = {NewStatus(), NewStatus(), NewStatus()};
  TF_Status* pointers[] = {statuses[0].get(), statuses[1].get(),
                           statuses[2].get()};
  EXPECT_FALSE(host.ops().paths_exist(&host.filesystem, paths, 3, pointers));
  std::vector<TF_Code> codes;
  for (TF_Status* each : pointers) codes.push_back(TF_GetCode(each));
  EXPECT_THAT(codes, ElementsAre(TF_OK, TF_NOT_FOUND, TF_OK));
  // L567: there may be no statuses.
  EXPECT_FALSE(host.ops().paths_exist(&host.filesystem, paths, 2, nullptr));
  EXPECT_TRUE(host.ops().paths_exist(&host.filesystem, paths, 1, nullptr));
  EXPECT_TRUE(host.ops().paths_exist(&host.filesystem, paths, 0, pointers));
}

// --- Other answers ---

struct Odd {
  bool PathExists(const std::string& path) { return path == "/there"; }
  std::vector<bool> PathsExist(const std::vector<std::string>&) {
    return {true};
  }
  // L484: counts of what is left, or none.
  Status DeleteRecursively(const std::string& path, uint64_t* undeleted_files,
                           uint64_t* undeleted_dirs) {
    *undeleted_files = path == "/locked" ? 2 : 0;
    *undeleted_dirs = path == "/locked" ? 3 : 0;
    return Status::Errno(path == "/clean" ? 0 : EACCES, path);
  }
  TF_TransactionToken* GetTransactionForPath(const std::string&) {
    return nullptr;
  }
};

TEST(Answers, OfPathExistsMayBeABool) {
  TestHost<Odd> host;
  host.ops().path_exists(&host.filesystem, "/there", host.status.get());
  EXPECT_EQ(host.code(), TF_OK);
  host.ops().path_exists(&host.filesystem, "/gone", host.status.get());
  EXPECT_EQ(host.code(), TF_NOT_FOUND);
  EXPECT_EQ(host.message(), "no such file or directory");
}

TEST(Answers, OfTooFewPathsAreAnErrorOfEach) {
  TestHost<Odd> host;
  char path[] = "/there";
  char* paths[] = {path, path};
  const StatusPointer second = NewStatus();
  TF_Status* statuses[] = {host.status.get(), second.get()};
  EXPECT_FALSE(host.ops().paths_exist(&host.filesystem, paths, 2, statuses));
  EXPECT_EQ(host.code(), TF_INTERNAL);
  EXPECT_EQ(host.message(), "PathsExist returned 1 answers for 2 paths");
  EXPECT_EQ(TF_GetCode(second.get()), TF_INTERNAL);
}

TEST(Answers, OfADeletionKeepTheirCounts) {
  TestHost<Odd> host;
  uint64_t files = 9;
  uint64_t directories = 9;
  const auto remove = [&](const char* path) {
    host.ops().delete_recursively(&host.filesystem, path, &files, &directories,
                                  host.status.get());
    return std::to_string(host.code()) + " " + std::to_string(files) + " " +
           std::to_string(directories);
  };
  EXPECT_EQ(remove("/clean"), "0 0 0");
  EXPECT_EQ(remove("/locked"), "7 2 3");
  EXPECT_EQ(remove("/refused"), "7 0 1");
  EXPECT_EQ(host.message(), "/refused: Permission denied");
}

TEST(Answers, ThatAreNoTransactionAreNotFound) {
  TestHost<Odd> host;
  TF_TransactionToken* token = nullptr;
  EXPECT_EQ(host.ops().get_transaction_for_path(&host.filesystem, "/a", &token,
                                                host.status.get()),
            -1);
  EXPECT_EQ(host.code(), TF_NOT_FOUND);  // L794
}

TEST(Answers, ThatAreAResultOfNeitherAreInternalErrors) {
  const Result<int> result = Status();
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), TF_INTERNAL);
}

}  // namespace
}  // namespace fsload::plugin
