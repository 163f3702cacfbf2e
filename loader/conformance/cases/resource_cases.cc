// FSP82x: what calls cost.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "loader/conformance/cases/cases.h"
#include "loader/conformance/cases/process_state.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

int OpenDescriptors() {
  return static_cast<int>(NumbersIn("/proc/self/fd").size());
}

// Expects that `work`, done again and again, leaves no descriptors open.
template <typename Work>
void ExpectNoDescriptors(Trial& t, std::string_view what, Work work,
                         int rounds = 40) {
  for (int i = 0; i < 2; ++i) work();  // connections, caches
  const int before = OpenDescriptors();
  for (int i = 0; i < rounds; ++i) work();
  const int more = OpenDescriptors() - before;
  // A pool may grow a little.
  t.Expect(more < rounds / 2,
           Format("{} {} times leaves {} more descriptors open", what, rounds,
                  more));
}

void LeavesNoDescriptors(Trial& t) {
  if (!t.Put("file", "contents") || !t.PutDir("dir")) return;
  Target& target = t.setting().tested;
  const std::string file = t.Uri("file");
  ExpectNoDescriptors(t, "reading a file", [&] {
    char byte;
    const auto opened = target.Open(file);
    if (opened.ok()) (*opened)->Read(0, 1, &byte).IgnoreError();
  });
  ExpectNoDescriptors(t, "writing a file", [&] {
    const auto opened = target.Create(t.Uri("other"));
    if (!opened.ok()) return;
    (*opened)->Append("a").IgnoreError();
    (*opened)->Close().IgnoreError();
  });
  ExpectNoDescriptors(t, "mapping a file",
                      [&] { target.Map(file).IgnoreError(); });
  ExpectNoDescriptors(t, "listing a directory",
                      [&] { target.GetChildren(t.Uri("")).IgnoreError(); });
  // By default this waits for the next second where times are in seconds.
  ExpectNoDescriptors(
      t, "copying and renaming a file",
      [&] {
        target.CopyFile(file, t.Uri("copy")).IgnoreError();
        target.RenameFile(t.Uri("copy"), t.Uri("moved")).IgnoreError();
      },
      /*rounds=*/8);
}

void UnclosedFilesLeaveNoDescriptors(Trial& t) {
  Target& target = t.setting().tested;
  const std::string uri = t.Uri("file");
  ExpectNoDescriptors(t, "cleaning up a file that was not closed", [&] {
    const auto opened = target.Create(uri);
    if (!opened.ok()) return;
    (*opened)->Append("a").IgnoreError();
    (*opened)->Abandon();
  });
}

void FailedCallsLeaveNoDescriptors(Trial& t) {
  if (!t.Put("file", "contents") || !t.PutDir("dir")) return;
  Target& target = t.setting().tested;
  ExpectNoDescriptors(t, "failing to open what is not there or is a directory",
                      [&] {
                        target.Open(t.Uri("none")).IgnoreError();
                        target.Open(t.Uri("dir")).IgnoreError();
                        target.Map(t.Uri("none")).IgnoreError();
                        target.Map(t.Uri("dir")).IgnoreError();
                      });
  ExpectNoDescriptors(t, "failing to open for writing", [&] {
    target.Create(t.Uri("none/file")).IgnoreError();
    target.Create(t.Uri("dir")).IgnoreError();
    target.OpenToAppend(t.Uri("none/file")).IgnoreError();
    target.OpenToAppend(t.Uri("dir")).IgnoreError();
  });
  ExpectNoDescriptors(t, "failing to list or copy", [&] {
    target.GetChildren(t.Uri("none")).IgnoreError();
    target.GetChildren(t.Uri("file")).IgnoreError();
    target.CopyFile(t.Uri("none"), t.Uri("other")).IgnoreError();
    target.CopyFile(t.Uri("file"), t.Uri("none/other")).IgnoreError();
  });
}

// Expects that `work`, done again and again, does not grow the heap time after
// time: pools and caches are filled once.
template <typename Work>
void ExpectNoGrowth(Trial& t, std::string_view what, Work work,
                    int rounds_of_store = 20) {
  constexpr int kTimes = 3;
  constexpr int64_t kMax = 100;  // bytes for each round, of caches
  const int rounds = t.setting().run.object_store ? rounds_of_store : 100;
  for (int i = 0; i < 20; ++i) work();
  int64_t least = INT64_MAX;
  for (int time = 0; time < kTimes; ++time) {
    const int64_t before = HeapBytes();
    for (int i = 0; i < rounds; ++i) work();
    least = std::min(least, HeapBytes() - before);
  }
  t.Expect(
      least < rounds * kMax,
      Format("{} {} times takes {} bytes more of memory", what, rounds, least));
}

void LeaksNoMemory(Trial& t) {
  if (!t.Put("file", std::string(300, 'x')) || !t.PutDir("dir")) return;
  for (int i = 0; i < 20; ++i) {
    if (!t.Put(Format("dir/a file with a long name {}", i), "")) return;
  }
  Target& target = t.setting().tested;
  const std::string file = t.Uri("file");
  const std::string dir = t.Uri("dir");
  ExpectNoGrowth(t, "reading a file", [&] {
    char buffer[200];
    const auto opened = target.Open(file);
    if (opened.ok()) {
      (*opened)->Read(0, sizeof(buffer), buffer).IgnoreError();
    }
  });
  ExpectNoGrowth(t, "listing a directory",
                 [&] { target.GetChildren(dir).IgnoreError(); });
  ExpectNoGrowth(t, "matching a pattern", [&] {
    target.GetMatchingPaths(t.PatternUri("dir/*")).IgnoreError();
  });
  ExpectNoGrowth(t, "translating a name",
                 [&] { target.TranslateName(file).IgnoreError(); });
  ExpectNoGrowth(t, "stat of a file", [&] { target.Stat(file).IgnoreError(); });
  ExpectNoGrowth(t, "failing to open and list", [&] {
    target.Open(t.Uri("none")).IgnoreError();
    target.GetChildren(t.Uri("none")).IgnoreError();
  });
}

void WritesLeakNoMemory(Trial& t) {
  Target& target = t.setting().tested;
  const std::string uri = t.Uri("file");
  ExpectNoGrowth(
      t, "writing a file",
      [&] {
        const auto opened = target.Create(uri);
        if (!opened.ok()) return;
        (*opened)->Append(std::string(300, 'x')).IgnoreError();
        (*opened)->Close().IgnoreError();
      },
      /*rounds_of_store=*/100);
}

}  // namespace

std::vector<Case> ResourceCases() {
  return {
      {821, "resources.no-descriptors", "calls leave no descriptors open",
       "L206-L212", 2, kOwnProcess,
       Calls(kOpen, kRead, kNew, kAppend, kClose, kChildren),
       LeavesNoDescriptors, "A long run ends with EMFILE.",
       "Close in close or cleanup what was opened, on every path."},
      {822, "resources.no-descriptors-after-errors",
       "failed calls leave no descriptors open", "L61-L63", 2, kOwnProcess,
       Calls(kOpen, kChildren), FailedCallsLeaveNoDescriptors,
       "The host does not clean up a file that did not open.",
       "Close what was opened before an error is returned."},
      {823, "resources.no-memory", "calls leak no memory", "L656-L665", 2,
       kOwnProcess, Calls(kOpen, kRead, kChildren), LeaksNoMemory,
       "A long run ends without memory.",
       "Free what is not handed over, and allocate with the plugin's hook "
       "what is."},
      {824, "resources.no-memory-by-writing", "writing leaks no memory",
       "L240-L246", 2, kOwnProcess, Calls(kNew, kAppend, kClose),
       WritesLeakNoMemory, "A long run ends without memory.",
       "Free the file's state in cleanup."},
      {825, "resources.no-descriptors-without-close",
       "a file that is cleaned up without a close leaves no descriptor open",
       "L240-L246", 2, kOwnProcess, Calls(kNew, kAppend),
       UnclosedFilesLeaveNoDescriptors,
       "A host that fails in the middle of a file does not close it.",
       "Close in cleanup what close has not closed."},
  };
}

}  // namespace fsload::conformance
