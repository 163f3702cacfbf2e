// Mutants that list directories wrongly.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"
#include "testdata/plugin_memory.h"

namespace mutants {
namespace {

struct Listed {
  const TF_Filesystem* fs;
  std::string path;
  Names names;
};

int HandOver(const Names& names, char*** entries) {
  *entries = plugin_memory::CopyStrings(names);
  return static_cast<int>(names.size());
}

// Changes the names that the right operation found.
template <void (*change)(Listed*)>
void Lists(Tables* tables) {
  tables->fs.get_children = [](const TF_Filesystem* fs, const char* path,
                               char*** entries, TF_Status* status) {
    const int count = g_right.fs.get_children(fs, path, entries, status);
    if (count < 0) return count;
    Listed listed = {fs, path, TakeNames(*entries, count)};
    change(&listed);
    return HandOver(listed.names, entries);
  };
}

template <typename Condition>
void Hide(Listed* listed, Condition hidden) {
  Names& names = listed->names;
  names.erase(std::remove_if(names.begin(), names.end(), hidden), names.end());
}

void Drops1000th(Listed* listed) {
  if (listed->names.size() < 1000) return;
  listed->names.erase(listed->names.begin() + 999);
}

void HidesDots(Listed* listed) {
  Hide(listed, [](const std::string& name) { return name[0] == '.'; });
}

void HidesForeign(Listed* listed) {
  Hide(listed, [](const std::string& name) {
    return std::any_of(name.begin(), name.end(),
                       [](char c) { return static_cast<signed char>(c) < 0; });
  });
}

void HidesEmptyFiles(Listed* listed) {
  Hide(listed, [listed](const std::string& name) {
    const std::string path = Join(listed->path, name);
    return KindOf(listed->fs, path) == Kind::kFile &&
           ReadFile(listed->fs, path).empty();
  });
}

void CutsNames(Listed* listed) {
  for (std::string& name : listed->names) name = name.substr(0, 254);
}

void CutsAtSpace(Listed* listed) {
  for (std::string& name : listed->names) {
    const size_t space = name.find(' ', 1);
    if (space != std::string::npos) name.resize(space);
  }
}

void DoublesLast(Listed* listed) {
  if (!listed->names.empty()) listed->names.push_back(listed->names.back());
}

void GivesPaths(Listed* listed) {
  for (std::string& name : listed->names) name = Join(listed->path, name);
}

void EndsInSlash(Listed* listed) {
  for (std::string& name : listed->names) {
    const std::string path = Join(listed->path, name);
    if (KindOf(listed->fs, path) == Kind::kDirectory) name += '/';
  }
}

void EscapesNames(Listed* listed) {
  for (std::string& name : listed->names) {
    std::string escaped;
    for (const char c : name) {
      char text[8] = {c};
      if (c == ' ' || c == '%') std::snprintf(text, sizeof(text), "%%%02X", c);
      escaped += text;
    }
    name = escaped;
  }
}

void TakesSiblings(Listed* listed) {
  const std::string prefix = NameOf(listed->path);
  const std::string parent = ParentOf(listed->path);
  if (prefix.empty()) return;
  for (const std::string& sibling : ListNames(listed->fs, parent)) {
    if (sibling.size() <= prefix.size() ||
        sibling.compare(0, prefix.size(), prefix) != 0) {
      continue;
    }
    const Names more = ListNames(listed->fs, Join(parent, sibling));
    listed->names.insert(listed->names.end(), more.begin(), more.end());
  }
}

void AddsDots(Listed* listed) {
  listed->names.insert(listed->names.begin(), {".", ".."});
}

void GoesDown(Listed* listed) {
  for (const std::string& name : Names(listed->names)) {
    for (const std::string& below :
         ListNames(listed->fs, Join(listed->path, name))) {
      listed->names.push_back(Join(name, below));
    }
  }
}

void KeepsFirst(Listed* listed) {
  static auto* const cache = new std::map<std::string, Names>;
  listed->names = cache->try_emplace(listed->path, listed->names).first->second;
}

// --- Mistakes in handing over ---

int FileListsItself(const TF_Filesystem* fs, const char* path, char*** entries,
                    TF_Status* status) {
  if (KindOf(fs, path) != Kind::kFile) {
    return g_right.fs.get_children(fs, path, entries, status);
  }
  Succeed(status);
  return HandOver({NameOf(path)}, entries);
}

int MissingIsEmpty(const TF_Filesystem* fs, const char* path, char*** entries,
                   TF_Status* status) {
  const int count = g_right.fs.get_children(fs, path, entries, status);
  if (TF_GetCode(status) != TF_NOT_FOUND) return count;
  Succeed(status);
  return HandOver({}, entries);
}

int ErrorIsZero(const TF_Filesystem* fs, const char* path, char*** entries,
                TF_Status* status) {
  return std::max(g_right.fs.get_children(fs, path, entries, status), 0);
}

int ErrorHandsOver(const TF_Filesystem* fs, const char* path, char*** entries,
                   TF_Status* status) {
  const int count = g_right.fs.get_children(fs, path, entries, status);
  if (count < 0) HandOver({"unfinished"}, entries);
  return count;
}

int ForeignNames(const TF_Filesystem* fs, const char* path, char*** entries,
                 TF_Status* status) {
  const int count = g_right.fs.get_children(fs, path, entries, status);
  for (int i = 0; i < count; ++i) {
    char* const foreign = strdup((*entries)[i]);
    plugin_memory::Free((*entries)[i]);
    (*entries)[i] = foreign;
  }
  return count;
}

int SameBlockTwice(const TF_Filesystem* fs, const char* path, char*** entries,
                   TF_Status* status) {
  const int count = g_right.fs.get_children(fs, path, entries, status);
  if (count < 2) return count;
  plugin_memory::Free((*entries)[1]);
  (*entries)[1] = (*entries)[0];
  return count;
}

int CountsOneMore(const TF_Filesystem* fs, const char* path, char*** entries,
                  TF_Status* status) {
  // The array ends in a null pointer.
  const int count = g_right.fs.get_children(fs, path, entries, status);
  return count < 0 ? count : count + 1;
}

int LeaksCopy(const TF_Filesystem* fs, const char* path, char*** entries,
              TF_Status* status) {
  constexpr size_t kBytes = size_t{1} << 20;
  void* const leaked = plugin_memory::Allocate(kBytes);
  if (leaked != nullptr) std::memset(leaked, 1, kBytes);
  return g_right.fs.get_children(fs, path, entries, status);
}

}  // namespace

Changes ListingChanges() {
  return {
      {"posix.list-drops-1000th", Lists<Drops1000th>},
      {"posix.list-cuts-long-names", Lists<CutsNames>},
      {"posix.list-full-paths", Lists<GivesPaths>},
      {"posix.list-has-dots", Lists<AddsDots>},
      {"posix.list-escapes-names", Lists<EscapesNames>},
      {"posix.list-drops-non-ascii", Lists<HidesForeign>},
      {"posix.list-of-file-is-ok", Put<&Fs::get_children, FileListsItself>},
      {"posix.list-of-missing-is-ok", Put<&Fs::get_children, MissingIsEmpty>},
      {"posix.list-leaks-descriptor", After<&Fs::get_children, LeakDescriptor>},
      {"posix.list-foreign-memory", Put<&Fs::get_children, ForeignNames>},
      {"posix.list-counts-one-more", Put<&Fs::get_children, CountsOneMore>},
      {"memory.list-hides-dot-names", Lists<HidesDots>},
      {"memory.list-hides-empty-files", Lists<HidesEmptyFiles>},
      {"memory.list-cuts-at-space", Lists<CutsAtSpace>},
      {"memory.list-doubles-last", Lists<DoublesLast>},
      {"memory.list-ends-in-slash", Lists<EndsInSlash>},
      {"memory.list-takes-siblings", Lists<TakesSiblings>},
      {"memory.list-goes-down", Lists<GoesDown>},
      {"memory.list-cached", Lists<KeepsFirst>},
      {"memory.list-error-is-zero", Put<&Fs::get_children, ErrorIsZero>},
      {"memory.list-error-hands-over", Put<&Fs::get_children, ErrorHandsOver>},
      {"memory.list-same-block-twice", Put<&Fs::get_children, SameBlockTwice>},
      {"memory.list-leaks", Put<&Fs::get_children, LeaksCopy>},
  };
}

}  // namespace mutants
