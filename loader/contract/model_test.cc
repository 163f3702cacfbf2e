// Random sequences of calls, compared with a model. A failing sequence is
// shrunk and printed as code. FSLOAD_MODEL_SEED repeats a run whose seed was
// printed.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/config.h"
#include "core/file_system/plugin_file_system.h"
#include "loader/contract/model_test_model.h"
#include "loader/testing/test_plugins.h"

namespace fsload {
namespace {

#if defined(ABSL_HAVE_ADDRESS_SANITIZER) || defined(ABSL_HAVE_THREAD_SANITIZER)
constexpr int kSequences = 1'000;
#else
constexpr int kSequences = 10'000;
#endif
constexpr int kSteps = 30;

const std::vector<std::string> kPaths = {"a",   "b",   "a/a",  "a/b",
                                         "b/a", "b/b", "a/a/b"};
const std::vector<std::string> kPatterns = {"*", "?/*", "*/a"};

// The facade's method for each action, in order.
constexpr const char* kMethods[] = {"Write",
                                    "Append",
                                    "Read",
                                    "NewReadOnlyMemoryRegionFromFile",
                                    "CreateDir",
                                    "RecursivelyCreateDir",
                                    "DeleteFile",
                                    "DeleteDir",
                                    "DeleteRecursively",
                                    "RenameFile",
                                    "CopyFile",
                                    "FileExists",
                                    "IsDirectory",
                                    "GetFileSize",
                                    "GetChildren",
                                    "GetMatchingPaths"};

using Sequence = std::vector<Step>;

std::string Code(const Step& step) {
  return fmt::format("  {}(\"{}\"{});\n",
                     kMethods[static_cast<int>(step.action)], step.path,
                     step.other.empty() ? "" : ", \"" + step.other + "\"");
}

template <typename T>
const T& Pick(const std::vector<T>& values, std::mt19937_64& random) {
  return values[random() % values.size()];
}

Sequence RandomSequence(std::mt19937_64& random) {
  Sequence sequence;
  for (int i = 0; i < kSteps; ++i) {
    Step step = {static_cast<Action>(random() % kActions), Pick(kPaths, random),
                 ""};
    switch (step.action) {
      case Action::kWrite:
      case Action::kAppend:
        step.other = std::string(random() % 4, 'a' + random() % 26);
        break;
      case Action::kRenameFile:
      case Action::kCopyFile:
        step.other = Pick(kPaths, random);
        break;
      case Action::kGetMatchingPaths:
        step.path = Pick(kPatterns, random);
        break;
      default:
        break;
    }
    sequence.push_back(std::move(step));
  }
  return sequence;
}

// Executes steps in one directory, each returning its status and a value.
class Doer {
 public:
  Doer(const FileSystem& fs, std::string root)
      : fs_(fs), root_(std::move(root)) {}

  absl::Status Do(const Step& step, std::string& value) const {
    const std::string uri = root_ + "/" + step.path;
    switch (step.action) {
      case Action::kWrite:
        return Put(fs_.NewWritableFile(uri), step.other);
      case Action::kAppend:
        return Put(fs_.NewAppendableFile(uri), step.other);
      case Action::kRead:
        return Read(uri, value);
      case Action::kRegion: {
        const auto region = fs_.NewReadOnlyMemoryRegionFromFile(uri);
        if (!region.ok()) return region.status();
        value.assign(static_cast<const char*>((*region)->data()),
                     (*region)->length());
        return absl::OkStatus();
      }
      case Action::kCreateDir:
        return fs_.CreateDir(uri);
      case Action::kRecursivelyCreateDir:
        return fs_.RecursivelyCreateDir(uri);
      case Action::kDeleteFile:
        return fs_.DeleteFile(uri);
      case Action::kDeleteDir:
        return fs_.DeleteDir(uri);
      case Action::kDeleteRecursively:
        return fs_.DeleteRecursively(uri);
      case Action::kRenameFile:
        return fs_.RenameFile(uri, root_ + "/" + step.other);
      case Action::kCopyFile:
        return fs_.CopyFile(uri, root_ + "/" + step.other);
      case Action::kFileExists:
        return fs_.FileExists(uri);
      case Action::kIsDirectory:
        return Take(fs_.IsDirectory(uri), value,
                    [](bool answer) { return answer ? "yes" : "no"; });
      case Action::kGetFileSize:
        return Take(fs_.GetFileSize(uri), value,
                    [](int64_t bytes) { return std::to_string(bytes); });
      case Action::kGetChildren:
        return Take(fs_.GetChildren(uri), value, Joined);
      case Action::kGetMatchingPaths:
        return Take(fs_.GetMatchingPaths(uri), value,
                    [this](std::vector<std::string> paths) {
                      for (std::string& path : paths) {
                        path.erase(0, root_.size() + 1);
                      }
                      return Joined(std::move(paths));
                    });
    }
    return absl::OkStatus();
  }

  // Where the tree differs from the model; "" if nowhere.
  std::string Difference(const Model& model) const {
    for (const std::string& path : kPaths) {
      const auto found = model.nodes().find(path);
      const auto statistics = fs_.Stat(root_ + "/" + path);
      if (statistics.ok() != (found != model.nodes().end())) {
        return path + ": " + statistics.status().ToString();
      }
      if (!statistics.ok()) continue;
      if (statistics->is_directory != found->second.is_directory()) {
        return path + ": of the other kind";
      }
      if (statistics->is_directory) continue;
      std::string contents;
      const absl::Status status = Read(root_ + "/" + path, contents);
      if (!status.ok() || contents != *found->second.contents) {
        return fmt::format("{}: holds '{}', expected '{}'", path, contents,
                           *found->second.contents);
      }
    }
    return "";
  }

 private:
  template <typename T, typename ToText>
  static absl::Status Take(const absl::StatusOr<T>& result, std::string& value,
                           ToText to_text) {
    if (result.ok()) value = to_text(*result);
    return result.status();
  }

  static absl::Status Put(
      const absl::StatusOr<std::unique_ptr<WritableFile>>& file,
      const std::string& text) {
    if (!file.ok()) return file.status();
    const absl::Status status = (*file)->Append(text);
    return status.ok() ? (*file)->Close() : status;
  }

  absl::Status Read(const std::string& uri, std::string& value) const {
    const auto file = fs_.NewRandomAccessFile(uri);
    if (!file.ok()) return file.status();
    value.assign(1'000, '\0');
    const auto bytes = (*file)->Read(0, value.size(), value.data());
    if (!bytes.ok()) return bytes.status();
    value.resize(*bytes);
    return absl::OkStatus();
  }

  const FileSystem& fs_;
  const std::string root_;
};

// One plugin, tested in the current directory.
class Comparison {
 public:
  explicit Comparison(FileSystemPtr fs) : fs_(std::move(fs)) {}

  // What is wrong with the plugin's last possible step of `sequence`; "" if
  // nothing.
  std::string Run(const Sequence& sequence) {
    const std::string root = fmt::format("sequence{}", ++runs_);
    if (!fs_->CreateDir(root).ok()) return "cannot create " + root;
    std::string problem = RunIn(root, sequence);
    const absl::Status status = fs_->DeleteRecursively(root);
    if (problem.empty() && !status.ok()) problem = status.ToString();
    return problem;
  }

  // The shortest part of `sequence` that also fails.
  Sequence Shrink(Sequence sequence) {
    for (size_t i = sequence.size(); i-- > 0;) {
      Sequence shorter = sequence;
      shorter.erase(shorter.begin() + i);
      if (!Run(shorter).empty()) sequence = std::move(shorter);
    }
    return sequence;
  }

 private:
  bool has_regions() const {
    return TablesOf(*fs_).filesystem.new_read_only_memory_region_from_file;
  }

  std::string RunIn(const std::string& root, const Sequence& sequence) {
    Model model;
    const Doer doer(*fs_, root);
    for (const Step& step : sequence) {
      Answer wanted = model.Do(step);
      if (step.action == Action::kRegion && !has_regions()) {
        wanted.codes = {absl::StatusCode::kUnimplemented};
      }
      std::string value;
      const absl::Status status = doer.Do(step, value);
      if (wanted.codes.count(status.code()) == 0) {
        return fmt::format("{}answered {}, expected {}", Code(step),
                           status.ToString(), Names(wanted));
      }
      if (status.ok() && value != wanted.value) {
        return fmt::format("{}yielded '{}', expected '{}'", Code(step), value,
                           wanted.value);
      }
      if (IsQuestion(step.action)) continue;
      const std::string difference = doer.Difference(model);
      if (!difference.empty()) return Code(step) + difference;
    }
    return "";
  }

  static std::string Names(const Answer& answer) {
    std::string names;
    for (const absl::StatusCode code : answer.codes) {
      names += absl::StatusCodeToString(code) + " ";
    }
    return names;
  }

  const FileSystemPtr fs_;
  int runs_ = 0;
};

uint64_t Seed() {
  const char* text = std::getenv("FSLOAD_MODEL_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 10)
                         : std::random_device()();
}

// Runs `count` sequences in the current directory.
void CompareWithModel(const FileSystemPtr& fs, int count) {
  const uint64_t seed = Seed();
  std::printf("%s: %d sequences of %d steps, FSLOAD_MODEL_SEED=%llu\n",
              fs->scheme().c_str(), count, kSteps,
              static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  Comparison comparison(fs);
  for (int i = 0; i < count; ++i) {
    const Sequence sequence = RandomSequence(random);
    if (comparison.Run(sequence).empty()) continue;
    const Sequence shortest = comparison.Shrink(sequence);
    std::string code;
    for (const Step& step : shortest) code += Code(step);
    FAIL() << fs->scheme() << ", seed " << seed << ", sequence " << i << ":\n"
           << code << "fails:\n"
           << comparison.Run(shortest);
  }
}

// Becomes a user whom permissions bind: another one if there is one, and in any
// case one without capabilities.
void DropPrivileges() {
  constexpr uid_t kNobody = 65534;
  if (geteuid() == 0 && setresgid(kNobody, kNobody, kNobody) == 0) {
    ASSERT_EQ(setresuid(kNobody, kNobody, kNobody), 0);
  }
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  ASSERT_EQ(syscall(SYS_capset, &header, none), 0);
}

// Each test has its own current directory: relative paths work whoever may
// traverse its ancestors.
class ModelTest : public ::testing::Test {
 protected:
  explicit ModelTest() : start_(open(".", O_PATH | O_CLOEXEC)) {}
  ~ModelTest() override {
    EXPECT_EQ(fchdir(start_), 0);
    close(start_);
  }

  static FileSystemPtr LoadAndEnter(const char* plugin) {
    auto fs = LoadTestPlugin(plugin);
    EXPECT_EQ(chdir(NewTestDirectory().c_str()), 0);
    return fs;
  }

  // Loads the plugin, then runs `body` in an unprivileged child.
  static void RunUnprivileged(const char* plugin, void (*body)(FileSystemPtr)) {
    const auto fs = LoadAndEnter(plugin);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      DropPrivileges();
      body(fs);
      std::fflush(nullptr);
      _exit(HasFailure() ? 1 : 0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }

 private:
  const int start_;
};

TEST_F(ModelTest, PosixIsAsTheModel) {
  CompareWithModel(LoadAndEnter("posix"), kSequences);
}

TEST_F(ModelTest, MemoryIsAsTheModel) {
  CompareWithModel(LoadAndEnter("memory"), kSequences);
}

TEST_F(ModelTest, TheDefaultsAreAsTheModel) {
  CompareWithModel(LoadAndEnter("minimal"), kSequences / 10);
}

TEST_F(ModelTest, PosixIsAsTheModelForAnUnprivilegedUser) {
  RunUnprivileged("posix",
                  [](FileSystemPtr fs) { CompareWithModel(fs, kSequences); });
}

TEST_F(ModelTest, MemoryIsAsTheModelForAnUnprivilegedUser) {
  RunUnprivileged("memory",
                  [](FileSystemPtr fs) { CompareWithModel(fs, kSequences); });
}

// What permissions forbid must be PERMISSION_DENIED and change nothing.
void ExpectDenials(const FileSystem& fs) {
  ASSERT_EQ(fs.CreateDir("closed"), absl::OkStatus());
  for (const char* path : {"closed/file", "file"}) {
    const auto file = fs.NewWritableFile(path);
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_EQ((*file)->Append(path), absl::OkStatus());
  }
  ASSERT_EQ(chmod("closed", 0555), 0);
  ASSERT_EQ(chmod("file", 0), 0);
  for (const absl::Status& status :
       {fs.CreateDir("closed/dir"), fs.RecursivelyCreateDir("closed/a/b"),
        fs.NewWritableFile("closed/new").status(),
        fs.NewAppendableFile("closed/new").status(),
        fs.DeleteFile("closed/file"), fs.RenameFile("closed/file", "new"),
        fs.CopyFile("closed/file", "closed/new"),
        fs.DeleteRecursively("closed"), fs.NewRandomAccessFile("file").status(),
        fs.CopyFile("file", "new")}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << status;
  }
  EXPECT_EQ(*fs.GetChildren("closed"), std::vector<std::string>{"file"});
  EXPECT_EQ(*fs.GetFileSize("closed/file"), 11);
  EXPECT_EQ(fs.FileExists("new").code(), absl::StatusCode::kNotFound);
  ASSERT_EQ(chmod("closed", 0), 0);
  EXPECT_EQ(fs.GetChildren("closed").status().code(),
            absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(fs.GetMatchingPaths("*/*").status().code(),
            absl::StatusCode::kPermissionDenied);
  ASSERT_EQ(chmod("closed", 0755), 0);
}

TEST_F(ModelTest, PosixIsDeniedWhatPermissionsForbid) {
  RunUnprivileged("posix", [](FileSystemPtr fs) { ExpectDenials(*fs); });
}

TEST_F(ModelTest, TheDefaultsAreDeniedWhatPermissionsForbid) {
  RunUnprivileged("minimal", [](FileSystemPtr fs) { ExpectDenials(*fs); });
}

}  // namespace
}  // namespace fsload
