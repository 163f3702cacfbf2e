#include "fsload/replay.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/tables/operations.h"
#include "core/testing/memory_tree.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/capabilities.h"
#include "fsload/recorder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What a program sees of a file system, as text.
std::string Session(const FileSystem& files) {
  std::ostringstream seen;
  seen << files.CreateDir("/d") << "\n";
  const auto out = files.NewWritableFile("/d/f");
  seen << out.status() << "\n";
  if (out.ok()) {
    seen << (*out)->Append("hello ") << (*out)->Append("you") << "\n";
    seen << (*out)->Tell().value_or(-1) << (*out)->Flush() << (*out)->Sync()
         << (*out)->Close() << "\n";
  }
  const auto in = files.NewRandomAccessFile("/d/f");
  char buffer[100];
  if (in.ok()) {
    const auto bytes = (*in)->Read(2, sizeof(buffer), buffer);
    seen << std::string_view(buffer, bytes.value_or(0)) << "\n";
  }
  seen << files.RenameFile("/d/f", "/d/g") << files.CopyFile("/d/g", "/d/h")
       << "\n";
  for (const std::string& each :
       files.GetChildren("/d").value_or(std::vector<std::string>{"error"})) {
    seen << each << " " << files.GetFileSize("/d/" + each).value_or(-1) << "\n";
  }
  for (const absl::Status& each :
       files.FilesExist(std::vector<std::string>{"/d/g", "/missing", "/d"})) {
    seen << each << "\n";
  }
  seen << files.IsDirectory("/d").value_or(false) << "\n";
  seen << files.GetMatchingPaths("/d/*")
              .value_or(std::vector<std::string>())
              .size()
       << "\n";
  Undeleted left;
  seen << files.DeleteRecursively("/d", &left) << left.files << left.directories
       << "\n";
  seen << files.Stat("/d").status() << "\n";
  return seen.str();
}

class ReplayTest : public testing::Test {
 protected:
  ReplayTest() { std::remove(path_.c_str()); }

  // Records what `session` does with `inner`; yields what it saw.
  template <typename Seen>
  Seen Record(FileSystemPtr inner,
              const std::function<Seen(const FileSystem&)>& session) {
    const auto recorder = Recorder::Create(path_);
    EXPECT_TRUE(recorder.ok()) << recorder.status();
    const auto recorded = RecordCalls(std::move(inner), *recorder);
    EXPECT_TRUE(recorded.ok()) << recorded.status();
    return session(**recorded);
  }

  std::string Text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // The only file system of the journal.
  FileSystemPtr Replayed(OpObserver* observer = nullptr) {
    const absl::StatusOr<Journal> journal = Journal::Read(path_);
    EXPECT_TRUE(journal.ok()) << journal.status();
    const auto file_systems = journal->Replay(observer);
    EXPECT_TRUE(file_systems.ok()) << file_systems.status();
    EXPECT_EQ(file_systems->size(), 1);
    return file_systems->front();
  }

  const std::string path_ = testing::TempDir() + "/journal";
};

TEST_F(ReplayTest, ShowsAProgramWhatItSawBefore) {
  for (const bool with_options : {false, true}) {
    std::remove(path_.c_str());
    MemoryTree tree;
    const SchemeTables tables = MemoryTree::Tables(
        with_options ? std::vector<Op>{Op::kFilesystem_rename_file,
                                       Op::kFilesystem_copy_file,
                                       Op::kFilesystem_translate_name}
                     : std::vector<Op>{});
    const std::string seen = Record<std::string>(tree.Open(tables), &Session);
    EXPECT_THAT(seen, HasSubstr("llo you"));
    tree.Clear();
    EXPECT_EQ(Session(*Replayed()), seen);
  }
}

TEST_F(ReplayTest, ShowsErrorsAsTheyWere) {
  ScriptedPlugin plugin;
  plugin.Fail(Op::kFilesystem_stat, TF_DEADLINE_EXCEEDED, "too slow");
  plugin.On(Op::kFilesystem_delete_file,
            [](TF_Status*) { throw std::runtime_error("no luck"); });
  const auto session = [](const FileSystem& files) {
    return std::vector<absl::Status>{files.Stat("/a").status(),
                                     files.DeleteFile("/a"),
                                     files.StartTransaction().status()};
  };
  const auto seen = Record<std::vector<absl::Status>>(plugin.Create(), session);
  EXPECT_EQ(seen[0], absl::DeadlineExceededError("/a: too slow (stat)"));
  EXPECT_EQ(session(*Replayed()), seen);
}

TEST_F(ReplayTest, ShowsAnExceptionOfAnOperationThatReturnsNothing) {
  ScriptedPlugin plugin;
  plugin.tables.filesystem.flush_caches = [](const TF_Filesystem*) {
    throw std::runtime_error("no luck");
  };
  const auto flush = [](const FileSystem& files) {
    return files.FlushCaches();
  };
  const auto seen = Record<absl::Status>(plugin.Create(), flush);
  EXPECT_THAT(seen.message(), HasSubstr("no luck"));
  EXPECT_EQ(flush(*Replayed()), seen);
}

TEST_F(ReplayTest, GivesRepeatedCallsTheirAnswersInOrderThenTheLast) {
  MemoryTree tree;
  const auto sizes = [](const FileSystem& files) {
    return files.GetFileSize("/f").value_or(-1);
  };
  Record<bool>(tree.Open(), [&](const FileSystem& files) {
    EXPECT_EQ(sizes(files), -1);
    tree.AddFile("/f", "a");
    EXPECT_EQ(sizes(files), 1);
    return true;
  });
  const FileSystemPtr files = Replayed();
  EXPECT_EQ(sizes(*files), -1);
  EXPECT_EQ(sizes(*files), 1);
  EXPECT_EQ(sizes(*files), 1);
}

TEST_F(ReplayTest, RefusesWhatWasNotRecorded) {
  MemoryTree tree;
  tree.AddFile("/f", "contents");
  Record<bool>(tree.Open(), [](const FileSystem& files) {
    char buffer[4];
    return (*files.NewRandomAccessFile("/f"))->Read(0, 4, buffer).ok();
  });
  const FileSystemPtr files = Replayed();
  EXPECT_EQ(files->Stat("tree:///g").status(),
            absl::UnavailableError("tree:///g: the journal " + path_ +
                                   " contains no stat(/g) call; record the "
                                   "command again to include it (stat)"));
  char buffer[9];
  const auto file = files->NewRandomAccessFile("/f");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->Read(4, 9, buffer).status(),
            absl::UnavailableError("/f: the journal " + path_ +
                                   " contains no read(/f, 4, 9) call; "
                                   "record the command again to include it "
                                   "(read)"));
}

TEST_F(ReplayTest, TranslatesOtherNamesAsTheRecordedOnes) {
  struct Case {
    std::string translated;  // scripted://h/f
    std::string expected;    // scripted://h/g
  };
  for (const Case& each : {Case{"/f", "/g"}, Case{"/root/f", "scripted://h/g"},
                           Case{"scripted://h/f", "scripted://h/g"}}) {
    std::remove(path_.c_str());
    ScriptedPlugin plugin;
    plugin.translate_name = [&](const char*) {
      return PluginMemory::Duplicate(each.translated.c_str());
    };
    Record<bool>(plugin.Create(), [](const FileSystem& files) {
      return files.TranslateName("scripted://h/f").ok();
    });
    const FileSystemPtr files = Replayed();
    EXPECT_EQ(files->TranslateName("scripted://h/f").value_or(""),
              each.translated);
    EXPECT_EQ(files->TranslateName("scripted://h/g").value_or(""),
              each.expected);
    EXPECT_THAT(files->Stat("scripted://h/g").status().message(),
                HasSubstr("contains no stat(" + each.expected + ") call"));
  }
}

TEST_F(ReplayTest, RefusesToAppendWhatWasNotAppended) {
  MemoryTree tree;
  const auto append = [](const FileSystem& files, std::string_view text) {
    const auto file = files.NewWritableFile("/f");
    return file.ok() ? (*file)->Append(text) : file.status();
  };
  Record<bool>(tree.Open(), [&](const FileSystem& files) {
    return append(files, "abc").ok();
  });
  const FileSystemPtr files = Replayed();
  EXPECT_EQ(append(*files, "abc"), absl::OkStatus());
  EXPECT_THAT(append(*files, "abd").message(),
              HasSubstr("contains no append(/f, 3 bytes) call"));
}

TEST_F(ReplayTest, FindsTemporaryFilesWhateverTheirNames) {
  MemoryTree tree;
  Record<bool>(tree.Open(), [](const FileSystem& files) {
    return files.NewWritableFile("/.fsload-0123456789abcdef").ok();
  });
  const FileSystemPtr files = Replayed();
  EXPECT_TRUE(files->NewWritableFile("/.fsload-fedcba9876543210").ok());
  EXPECT_FALSE(files->NewWritableFile("/.fsload-short").ok());
}

TEST_F(ReplayTest, KeepsMemoryRegions) {
  ScriptedPlugin plugin;
  const auto contents = [](const FileSystem& files) {
    const auto region = files.NewReadOnlyMemoryRegionFromFile("/f");
    if (!region.ok()) return std::string(region.status().message());
    return std::string(static_cast<const char*>((*region)->data()),
                       (*region)->length());
  };
  EXPECT_EQ(Record<std::string>(plugin.Create(), contents), "data");
  EXPECT_EQ(contents(*Replayed()), "data");
}

TEST_F(ReplayTest, HasTheCapabilitiesOfWhatWasRecorded) {
  ScriptedPlugin plugin;
  plugin.tables.traits.replaces_atomically = true;
  plugin.tables.traits.disabled[0] = {Op::kFilesystem_rename_file, "loses"};
  Capabilities seen;
  Record<bool>(plugin.Create(), [&](const FileSystem& files) {
    seen = CapabilitiesOf(files);
    return true;
  });
  const FileSystemPtr files = Replayed();
  EXPECT_EQ(CapabilitiesOf(*files).support, seen.support);
  EXPECT_TRUE(CapabilitiesOf(*files).replaces_atomically);
  EXPECT_EQ(files->plugin(), "scripted.so");
  EXPECT_EQ(files->scheme(), "scripted");
}

TEST_F(ReplayTest, TellsTheCallsOfTheRecording) {
  MemoryTree tree;
  Record<std::string>(tree.Open(), &Session);
  const auto journal = Journal::Read(path_);
  ASSERT_TRUE(journal.ok());
  ASSERT_EQ(journal->schemes().size(), 1);
  const JournaledScheme& scheme = journal->schemes()[0];
  EXPECT_EQ(scheme.scheme, "tree");
  EXPECT_EQ(scheme.calls.NanosecondsOf(Op::kFilesystem_create_dir).count(), 1);
  EXPECT_GE(scheme.calls.BytesOf(Op::kWritableFile_append).sum(), 9);
  EXPECT_EQ(journal->incomplete(), "");
}

TEST_F(ReplayTest, AnswersThreadsInAnyOrder) {
  constexpr int kFiles = 50;
  MemoryTree tree;
  for (int i = 0; i < kFiles; ++i) {
    tree.AddFile("/" + std::to_string(i), std::string(i, 'x'));
  }
  Record<bool>(tree.Open(), [](const FileSystem& files) {
    for (int i = 0; i < kFiles; ++i) {
      EXPECT_EQ(*files.GetFileSize("/" + std::to_string(i)), i);
    }
    return true;
  });
  const FileSystemPtr files = Replayed();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&files] {
      for (int i = kFiles - 1; i >= 0; --i) {
        EXPECT_EQ(files->GetFileSize("/" + std::to_string(i)).value_or(-1), i);
      }
    });
  }
  for (std::thread& each : threads) each.join();
}

TEST_F(ReplayTest, LeavesNoMappingForEachThatIsDropped) {
  // Those that can only be read, as sealed tables are.
  const auto count_mappings = [] {
    std::ifstream maps("/proc/self/maps");
    int count = 0;
    for (std::string line; std::getline(maps, line);) {
      count += line.find(" r--") != std::string::npos;
    }
    return count;
  };
  MemoryTree tree;
  Record<std::string>(tree.Open(), &Session);
  Replayed();
  const auto before = count_mappings();
  for (int i = 0; i < 100; ++i) Replayed();
  EXPECT_LT(count_mappings(), before + 10);
}

// Its writer was killed in the middle of a line.
TEST_F(ReplayTest, IgnoresALineThatIsCutOff) {
  MemoryTree tree;
  const std::string seen = Record<std::string>(tree.Open(), &Session);
  const std::string whole = Text();
  const std::string cut = whole + "{\"op\":\"Filesystem.st";
  const auto journal = Journal::Parse(cut, "j");
  ASSERT_TRUE(journal.ok()) << journal.status();
  EXPECT_THAT(journal->incomplete(), HasSubstr("(the last) is truncated"));
  const FileSystemPtr files = journal->Replay()->front();
  EXPECT_EQ(Session(*files), seen);
  EXPECT_THAT(files->Stat("/other").status().message(),
              HasSubstr("the journal j contains no stat(/other) call; it is "
                        "incomplete: line"));
}

TEST_F(ReplayTest, NamesTheLineThatIsDamaged) {
  const std::string header = "{\"fsload_journal\":1}\n";
  const auto status = [](const std::string& text) {
    return Journal::Parse(text, "j").status();
  };
  EXPECT_EQ(status(""), absl::InvalidArgumentError(
                            "j: is not an fsload journal: the file is empty"));
  EXPECT_EQ(status("\x7f"
                   "ELF\n"),
            absl::InvalidArgumentError(
                "j: is not an fsload journal: it is not a JSON object"));
  EXPECT_EQ(status("{\"stopped\":\"x\"}\n"),
            absl::InvalidArgumentError("j: is not an fsload journal: it is "
                                       "not the header of a journal"));
  EXPECT_EQ(status(header + header),
            absl::InvalidArgumentError(
                "j: line 2 of the journal is damaged: it is a second header"));
  EXPECT_EQ(status(header +
                   R"({"op":"Filesystem.flush_caches","in":3,"arguments":[],)"
                   R"("code":"OK"})"
                   "\n"),
            absl::InvalidArgumentError(
                "j: line 2 of the journal is damaged: no line before it is "
                "about its file system"));
  EXPECT_EQ(status(header + "{\"stopped\":\"x\"}\n{}\n").code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ReplayTest, ReadsNothingButFiles) {
  EXPECT_EQ(Journal::Read("/").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::IsNotFound(Journal::Read("/missing").status()));
}

}  // namespace
}  // namespace fsload
