// FSP815 and on: threads that make the same calls on different files.
#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "loader/conformance/cases/cases.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

constexpr int kSeparateThreads = 8;
constexpr int kRounds = 400;

// Runs `work` in each of the threads, again and again until it returns false.
void InThreads(const std::function<bool(int thread)>& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kSeparateThreads; ++i) {
    threads.emplace_back([&work, i] {
      for (int round = 0; round < kRounds; ++round) {
        if (!work(i)) return;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Expects that `found`, in words, is `expected`, whatever other threads do.
bool Is(Trial& t, const std::string& call, const std::string& found,
        const std::string& expected) {
  return t.Expect(found == expected,
                  Format("{} beside calls of other threads -> {}; expected {}",
                         call, found, expected));
}

// Those of one thread; no two threads' are of one size.
std::string ContentsOfThread(int thread) {
  return std::string(1000 + 37 * thread, static_cast<char>('a' + thread));
}

bool PutFilesOfThreads(Trial& t) {
  for (int i = 0; i < kSeparateThreads; ++i) {
    if (!t.Put(Format("file{}", i), ContentsOfThread(i))) return false;
  }
  return true;
}

std::string StatText(const absl::StatusOr<FileStatistics>& found) {
  if (!found.ok()) return Text(found.status());
  return Format("{} of {} bytes", found->is_directory ? "directory" : "file",
                found->length);
}

void ThreadsAskOfTheirOwnFiles(Trial& t) {
  if (!PutFilesOfThreads(t) || !t.PutDir("dir")) return;
  Target& target = t.setting().tested;
  InThreads([&](int i) {
    const std::string name = Format("file{}", i);
    const std::string uri = t.Uri(name);
    const std::string none = t.Uri(Format("none{}", i));
    const std::string size = std::to_string(ContentsOfThread(i).size());
    const bool is_file = i % 2 == 0;
    return Is(t, "stat of " + name, StatText(target.Stat(uri)),
              Format("file of {} bytes", size)) &&
           Is(t, "path_exists of " + name,
              CodeName(target.PathExists(is_file ? uri : none).code()),
              CodeName(is_file ? absl::StatusCode::kOk : kNotFound)) &&
           (!t.Has(kSize) || Is(t, "get_file_size of " + name,
                                Text(target.GetFileSize(uri)), size)) &&
           (!t.Has(kIsDirectory) || is_file ||
            Is(t, "is_directory of dir", Text(target.IsDirectory(t.Uri("dir"))),
               "true"));
  });
}

void ThreadsTranslateTheirOwnNames(Trial& t) {
  Target& target = t.setting().tested;
  std::vector<std::string> uris;
  std::vector<std::string> paths;
  for (int i = 0; i < kSeparateThreads; ++i) {
    uris.push_back(t.Uri(Format("{}/{}", i, std::string(10 + i, 'x'))));
    const auto path = target.TranslateName(uris.back());
    if (!t.Expect(path.ok(), "translate_name fails")) return;
    paths.push_back(*path);
  }
  InThreads([&](int i) {
    return Is(t, "translate_name of " + uris[i],
              target.TranslateName(uris[i]).value_or("an error"), paths[i]);
  });
}

void ThreadsListTheirOwnDirectories(Trial& t) {
  std::vector<Names> expected(kSeparateThreads);
  for (int i = 0; i < kSeparateThreads; ++i) {
    if (!t.PutDir(Format("dir{}", i))) return;
    for (int j = 0; j < 3 + i % 4; ++j) {
      expected[i].push_back(Format("{}-{}", i, j));
      if (!t.Put(Format("dir{}/{}", i, expected[i].back()), "")) return;
    }
  }
  const auto sorted = [](absl::StatusOr<Names> names) {
    if (!names.ok()) return Text(names.status());
    std::sort(names->begin(), names->end());
    return Text(*names);
  };
  Target& target = t.setting().tested;
  InThreads([&](int i) {
    const std::string name = Format("dir{}", i);
    return Is(t, "get_children of " + name,
              sorted(target.GetChildren(t.Uri(name))), Text(expected[i]));
  });
}

void ThreadsReadTheirOwnFiles(Trial& t) {
  if (!PutFilesOfThreads(t)) return;
  Target& target = t.setting().tested;
  InThreads([&](int i) {
    const std::string name = Format("file{}", i);
    const std::string expected = ContentsOfThread(i);
    const auto file = target.Open(t.Uri(name));
    if (!Is(t, "opening " + name, Text(file.status()), "OK")) return false;
    return Is(t, "reading " + name, Text(ReadFrom(file, expected.size() + 1)),
              Quoted(expected));
  });
}

void ThreadsMapTheirOwnFiles(Trial& t) {
  if (!PutFilesOfThreads(t)) return;
  Target& target = t.setting().tested;
  InThreads([&](int i) {
    const std::string name = Format("file{}", i);
    const auto region = target.Map(t.Uri(name));
    return Is(
        t, "mapping " + name,
        region.ok() ? Quoted((*region)->contents()) : Text(region.status()),
        Quoted(ContentsOfThread(i)));
  });
}

// Reads past the plugin's tested operations, as expectations do.
std::string ReadWhole(const Trial& t, const std::string& name, size_t most) {
  return Text(ReadFrom(t.setting().whole.Open(t.Uri(name)), most + 1));
}

void ThreadsAppendToTheirOwnFiles(Trial& t) {
  Target& target = t.setting().tested;
  std::vector<std::unique_ptr<WriteTarget>> files;
  for (int i = 0; i < kSeparateThreads; ++i) {
    auto file = target.Create(t.Uri(Format("file{}", i)));
    if (!t.Expect(file.ok(), "creating a file fails")) return;
    files.push_back(*std::move(file));
  }
  InThreads([&](int i) {
    return Is(t, Format("append to file{}", i),
              Text(files[i]->Append(std::string(10, 'a' + i))), "OK");
  });
  for (int i = 0; i < kSeparateThreads; ++i) {
    const std::string name = Format("file{}", i);
    Is(t, "close of " + name, Text(files[i]->Close()), "OK");
    const std::string all(10 * kRounds, static_cast<char>('a' + i));
    Is(t, "what was appended to " + name, ReadWhole(t, name, all.size()),
       Quoted(all));
  }
}

// Calls of one thread, all in the directory in which the others work.
bool ChangesItsOwn(Trial& t, int i) {
  Target& target = t.setting().tested;
  const auto uri = [&](const char* name) {
    return t.Uri(Format("{}{}", name, i));
  };
  const auto ok = [&](const char* call, const absl::Status& status) {
    return Is(t, call, Text(status), "OK");
  };
  const std::string contents = ContentsOfThread(i);
  const auto holds = [&](const char* name) {
    return Is(t, Format("what is in {}{}", name, i),
              ReadWhole(t, Format("{}{}", name, i), contents.size()),
              Quoted(contents));
  };
  return ok("create_dir", target.CreateDir(uri("dir"))) &&
         (!t.Has(kRename) ||
          (ok("rename_file", target.RenameFile(uri("file"), uri("moved"))) &&
           holds("moved") &&
           ok("rename_file", target.RenameFile(uri("moved"), uri("file"))))) &&
         (!t.Has(kCopy) ||
          (ok("copy_file", target.CopyFile(uri("file"), uri("copy"))) &&
           holds("copy") &&
           ok("delete_file", target.DeleteFile(uri("copy"))))) &&
         ok("delete_dir", target.DeleteDir(uri("dir")));
}

void ThreadsChangeTheirOwnFiles(Trial& t) {
  if (!PutFilesOfThreads(t)) return;
  InThreads([&](int i) { return ChangesItsOwn(t, i); });
  Names names;
  for (int i = 0; i < kSeparateThreads; ++i) {
    names.push_back(Format("file{}", i));
  }
  t.HasNames("", names);
}

constexpr char kWhySeparate[] = "One thread would get what is another's.";
constexpr char kKeepNoStatics[] =
    "Keep no results, names or buffers in static variables.";

}  // namespace

std::vector<Case> SeparateThreadsCases() {
  return {
      {815, "threads.own-questions",
       "threads that ask of different files get their own answers", "L163-L185",
       4, kNotForStores | kNoDefaults, Calls(kStat, kExists),
       ThreadsAskOfTheirOwnFiles, kWhySeparate, kKeepNoStatics},
      {816, "threads.own-names",
       "threads that translate different names get their own paths",
       "L625-L650", 4, kNoDefaults, Calls(kTranslate),
       ThreadsTranslateTheirOwnNames, kWhySeparate, kKeepNoStatics},
      {817, "threads.own-listings",
       "threads that list different directories get their own names",
       "L652-L665", 4, kNotForStores | kNoDefaults, Calls(kChildren),
       ThreadsListTheirOwnDirectories, kWhySeparate, kKeepNoStatics},
      {818, "threads.own-reads",
       "threads that open and read different files get their own bytes",
       "L345-L350", 4, kNotForStores | kNoDefaults, Calls(kOpen, kRead),
       ThreadsReadTheirOwnFiles, kWhySeparate, kKeepNoStatics},
      {819, "threads.own-regions",
       "threads that map different files get their own bytes", "L400-L405", 4,
       kNotForStores | kNoDefaults, Calls(kRegion), ThreadsMapTheirOwnFiles,
       kWhySeparate, kKeepNoStatics},
      {820, "threads.own-appends",
       "threads that append to different open files do not mix them",
       "L248-L253", 4, kPlain, Calls(kNew, kAppend, kClose),
       ThreadsAppendToTheirOwnFiles, kWhySeparate, kKeepNoStatics},
      {830, "threads.own-changes",
       "threads that create, rename, copy and delete in one directory do not "
       "interfere",
       "L163-L185", 4, kNotForStores | kNoDefaults,
       Calls(kNew, kAppend, kClose, kCreateDir, kDeleteDir, kDeleteFile),
       ThreadsChangeTheirOwnFiles, kWhySeparate, kKeepNoStatics},
  };
}

}  // namespace fsload::conformance
