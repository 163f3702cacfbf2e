// FSP80x and FSP81x: many threads.
#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "loader/conformance/cases/cases.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

constexpr int kThreads = 4;

// Runs `work` with each thread's number.
void InThreads(const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

void OneFileIsReadByManyThreads(Trial& t) {
  const std::string contents = PatternBytes(200'000);
  if (!t.Put("file", contents)) return;
  const auto file = t.Open("file");
  if (!t.Ok(file)) return;
  constexpr size_t kPiece = 1000;
  InThreads([&](int thread) {
    for (int round = 0; round < 5; ++round) {
      for (size_t offset = size_t{311} * thread;
           offset + kPiece < contents.size(); offset += 3989) {
        const auto bytes = (*file)->ReadQuietly(offset, kPiece);
        if (!t.Expect(bytes.ok() && *bytes == contents.substr(offset, kPiece),
                      Format("read(\"file\", offset {}, n {}) beside reads of "
                             "other threads yields other bytes, or fails",
                             offset, kPiece))) {
          return;
        }
      }
    }
  });
}

void RegionsAreReadByManyThreads(Trial& t) {
  const std::string contents = PatternBytes(10'000);
  if (!t.Put("file", contents)) return;
  const auto region = t.setting().tested.Map(t.Uri("file"));
  if (!t.Expect(region.ok(), "the file cannot be mapped")) return;
  InThreads([&](int) {
    t.Expect((*region)->contents() == contents,
             "a region beside other threads has other bytes");
  });
}

std::string ReadAll(Target& target, const std::string& uri, size_t most) {
  const auto text = ReadFrom(target.Open(uri), most);
  return text.ok() ? *text : text.status().ToString();
}

absl::Status WriteAll(Target& target, const std::string& uri,
                      const std::string& contents) {
  const auto file = target.Create(uri);
  if (!file.ok()) return file.status();
  // In two parts, so that others can interleave.
  const size_t half = contents.size() / 2;
  absl::Status status = (*file)->Append(contents.substr(0, half));
  if (status.ok()) status = (*file)->Append(contents.substr(half));
  const absl::Status closed = (*file)->Close();
  return status.ok() ? closed : status;
}

void ThreadsWorkOnTheirOwnFiles(Trial& t) {
  Target& target = t.setting().tested;
  InThreads([&](int thread) {
    const std::string uri = t.Uri(Format("own{}", thread));
    for (int round = 0; round < 25; ++round) {
      const std::string contents(5'000 + round,
                                 static_cast<char>('a' + thread));
      const absl::Status written = WriteAll(target, uri, contents);
      if (!t.Expect(written.ok(),
                    "writing beside other threads -> " + written.ToString())) {
        return;
      }
      if (!t.Expect(ReadAll(target, uri, 10'000) == contents,
                    "a file that one thread wrote has other contents, while "
                    "other threads write others")) {
        return;
      }
    }
  });
}

void ThreadsCreateTheSameDirectories(Trial& t) {
  Target& target = t.setting().tested;
  for (int round = 0; round < 20; ++round) {
    const std::string uri = t.Uri(Format("{}/a/b/c", round));
    InThreads([&](int) {
      const absl::Status status = target.RecursivelyCreateDir(uri);
      t.Expect(status.ok(),
               "recursively_create_dir of one path from several "
               "threads -> " +
                   status.ToString());
    });
  }
}

void OneThreadCreatesADirectory(Trial& t) {
  Target& target = t.setting().tested;
  for (int round = 0; round < 40; ++round) {
    const std::string uri = t.Uri(Format("dir{}", round));
    // The default order; relaxed would do: it is read after the threads' end.
    std::atomic<int> created = 0;
    InThreads([&](int) {
      const absl::Status status = target.CreateDir(uri);
      if (status.ok()) ++created;
      t.Expect(status.ok() || absl::IsAlreadyExists(status),
               "create_dir of one path from several threads -> " +
                   status.ToString());
    });
    t.Expect(created == 1,
             Format("create_dir of one path from {} threads at once is OK "
                    "for {}; expected one",
                    kThreads, created.load()));
  }
}

void ARenamedFileIsWhole(Trial& t) {
  // Whoever opens the target sees the old or the new contents.
  constexpr size_t kBytes = 20'000;
  if (!t.Put("target", std::string(kBytes, 'a'))) return;
  Target& target = t.setting().tested;
  // The default order; relaxed would do: it only ends the reader.
  std::atomic<bool> over = false;
  std::thread reader([&] {
    while (!over) {
      const std::string text = ReadAll(target, t.Uri("target"), kBytes + 1);
      if (!t.Expect(text == std::string(kBytes, text.empty() ? '?' : text[0]),
                    "a file that is replaced by rename_file is read as " +
                        Quoted(text.substr(0, 40)) +
                        ", neither the old nor "
                        "the new contents")) {
        return;
      }
    }
  });
  for (int round = 0; round < 60; ++round) {
    const std::string contents(kBytes, static_cast<char>('b' + round % 20));
    const absl::Status written = WriteAll(target, t.Uri("new"), contents);
    const absl::Status renamed =
        target.RenameFile(t.Uri("new"), t.Uri("target"));
    if (!t.Expect(written.ok() && renamed.ok(), "replacing a file -> " +
                                                    written.ToString() + ", " +
                                                    renamed.ToString())) {
      break;
    }
  }
  over = true;
  reader.join();
}

}  // namespace

std::vector<Case> ThreadCases() {
  return {
      {801, "threads.read-one-file", "any number of threads read one file",
       "L223", 2, kPlain, Calls(kOpen, kRead), OneFileIsReadByManyThreads,
       "Hosts read ahead from several threads.",
       "Use pread; share no buffer and no position."},
      {802, "threads.read-one-region", "any number of threads read one region",
       "L400-L405", 2, kPlain, Calls(kRegion), RegionsAreReadByManyThreads,
       "A region is read by all threads.", "Hand out memory that stays."},
      {811, "threads.own-files",
       "threads that use different files do not interfere", "L163-L185", 4,
       kPlain, Calls(kOpen, kRead, kNew, kAppend, kClose),
       ThreadsWorkOnTheirOwnFiles, "Hosts call a filesystem from all threads.",
       "Keep no state in globals without a lock."},
      {812, "threads.create-the-same-directories",
       "threads create the same directories with their ancestors", "L441-L449",
       4, kPlain, Calls(kCreateDirs), ThreadsCreateTheSameDirectories,
       "Programs that start together fail.",
       "ALREADY_EXISTS of an ancestor is success."},
      {813, "threads.one-creates-a-directory",
       "of threads that create one directory, one succeeds", "L428-L431", 4,
       kNotForStores | kNoDefaults, Calls(kCreateDir),
       OneThreadCreatesADirectory,
       "Programs agree by this on which of them does the work.",
       "Use an operation of the file system that is atomic."},
      {814, "threads.renamed-file-is-whole",
       "a file that is replaced by a rename is never seen in part", "L502-L505",
       4, kNotForStores | kNoDefaults,
       Calls(kOpen, kRead, kNew, kAppend, kClose, kRename), ARenamedFileIsWhole,
       "Readers of a checkpoint see half of it.",
       "Use an operation of the file system that is atomic."},
  };
}

}  // namespace fsload::conformance
