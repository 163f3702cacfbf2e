// FSP826 and on: what grows each time that an operation is repeated.
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "loader/conformance/cases/cases.h"
#include "loader/conformance/cases/process_state.h"
#include "loader/conformance/cases/repeated_operations.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

int64_t Descriptors() {
  return static_cast<int64_t>(NumbersIn("/proc/self/fd").size());
}

int64_t Threads() {
  return static_cast<int64_t>(NumbersIn("/proc/self/task").size());
}

// Those that have ended and for which nobody has waited, too.
int64_t Children() {
  int64_t count = 0;
  for (const int thread : NumbersIn("/proc/self/task")) {
    std::ifstream children(Format("/proc/self/task/{}/children", thread));
    using Word = std::istream_iterator<std::string>;
    count += std::distance(Word(children), Word());
  }
  return count;
}

// Of all mappings, but for those of an allocator that keeps what was freed.
int64_t MappedPages() {
  int64_t pages = 0;
  if (HeapBytes() > 0) std::ifstream("/proc/self/statm") >> pages;
  return pages;
}

struct Measure {
  const char* what;
  int64_t each;  // how much the smallest leak takes
  int64_t (*count)();
};

constexpr Measure kOfTheSystem[] = {
    {"descriptors", 1, Descriptors},
    {"threads", 1, Threads},
    {"child processes", 1, Children},
    {"pages of mappings", 1, MappedPages},
};
constexpr Measure kOfTheHeap[] = {{"bytes of the heap", 16, HeapBytes}};

std::vector<int64_t> Counts(absl::Span<const Measure> measures) {
  std::vector<int64_t> counts;
  for (const Measure& each : measures) counts.push_back(each.count());
  return counts;
}

// Expects that nothing grows with each of `rounds` repetitions, time after
// time: pools and caches are filled once.
void ExpectNoGrowth(Trial& t, absl::Span<const Measure> measures, int rounds,
                    const RepeatedOperation& operation) {
  constexpr int kTimes = 3;
  std::vector<int> grown(measures.size(), 0);
  for (int i = 0; i < rounds; ++i) operation.call(t);
  std::vector<int64_t> before = Counts(measures);
  const std::vector<int64_t> first = before;
  for (int time = 0; time < kTimes; ++time) {
    for (int i = 0; i < rounds; ++i) operation.call(t);
    const std::vector<int64_t> after = Counts(measures);
    for (size_t i = 0; i < measures.size(); ++i) {
      if (after[i] - before[i] >= rounds * measures[i].each) ++grown[i];
    }
    before = after;
  }
  for (size_t i = 0; i < measures.size(); ++i) {
    t.Expect(grown[i] < kTimes,
             Format("{}, {} times, takes {} more {}", operation.what,
                    kTimes * rounds, before[i] - first[i], measures[i].what));
  }
}

void ExpectNoGrowth(Trial& t, absl::Span<const RepeatedOperation> operations,
                    absl::Span<const Measure> measures, int rounds) {
  if (!PutForOperations(t)) return;
  ForEachPresent(t, operations, [&](const RepeatedOperation& operation) {
    ExpectNoGrowth(t, measures, rounds, operation);
  });
}

constexpr int kFew = 8;  // as each may be a request to a server
constexpr int kMany = 60;

}  // namespace

std::vector<Case> GrowthCases() {
  return {
      {826, "resources.nothing-grows",
       "no operation leaves descriptors, threads, processes or mappings behind "
       "each time",
       "L206-L212", 2, kNoDefaults | kOwnProcess, Calls(kOpen, kRead),
       [](Trial& t) { ExpectNoGrowth(t, Successes(), kOfTheSystem, kFew); },
       "A long run ends when the system has no more of them.",
       "Close, join, wait for and unmap in cleanup what was begun."},
      {827, "resources.nothing-grows-by-errors",
       "no failed operation leaves descriptors, threads, processes or mappings "
       "behind each time",
       "L61-L63", 2, kNoDefaults | kOwnProcess, Calls(kOpen, kRead),
       [](Trial& t) { ExpectNoGrowth(t, Failures(), kOfTheSystem, kFew); },
       "A program that polls for a file ends when the system has no more of "
       "them.",
       "Release what was begun before an error is returned."},
      {828, "resources.not-a-byte",
       "no operation leaks even a few bytes each time", "L56-L63", 2,
       kNotForStores | kNoDefaults | kOwnProcess, Calls(kOpen, kRead),
       [](Trial& t) { ExpectNoGrowth(t, Successes(), kOfTheHeap, kMany); },
       "A run of weeks ends without memory.",
       "Free what is not handed over; run the plugin's tests with "
       "LeakSanitizer."},
      {829, "resources.not-a-byte-by-errors",
       "no failed operation leaks even a few bytes each time", "L56-L63", 2,
       kNotForStores | kNoDefaults | kOwnProcess, Calls(kOpen, kRead),
       [](Trial& t) { ExpectNoGrowth(t, Failures(), kOfTheHeap, kMany); },
       "A program that polls for a file ends without memory.",
       "The host does not clean up a file that did not open: free its state "
       "before an error is returned."},
  };
}

}  // namespace fsload::conformance
