// The conformance suite as tests of a plugin's own googletest program.
//
//   FSLOAD_CONFORMANCE_TESTS(MyPlugin, "build/libmine.so", "mine:///tmp/test");
//
// registers a test for each way to run each case: "MyPlugin.read.at-an-offset@
// tables". A case is skipped if the plugin lacks an operation that it needs.
// Disputed cases, and those that need another user, are left out. Runs in this
// process: a plugin that crashes takes the program down, which `fsload
// conformance` survives.
#ifndef FSLOAD_CONFORMANCE_GTEST_H_
#define FSLOAD_CONFORMANCE_GTEST_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fsload/file_system.h"
#include "fsload/isolation.h"

namespace fsload {

struct ConformanceTests {
  std::string plugin;  // path of the shared object

  // URI of an empty directory to work in, which is created if it is missing.
  // Each case has its own directory there, deleted afterwards; a program that
  // crashed leaves it, and the next one's case then fails with ALREADY_EXISTS.
  std::string root;

  int level = 2;  // 1 smoke, 2 the contract, 3 large and random, 4 races

  // Leave out the cases in which object stores may legitimately differ.
  bool object_store = false;

  // Globs of what is left out: names without the suite's ("rename.*@facade"),
  // cases ("rename.onto-itself") or their rules ("FSP63?").
  std::vector<std::string> skip = {};

  // If set, the plugin runs in a process of its own, and cases that look at
  // what it does to its process are left out.
  std::optional<Isolation> isolation = std::nullopt;

  // If set, what is tested is its result for the plugin's first scheme: a
  // wrapper (docs/wrappers.md), whose URIs `root` then is one of. Called once.
  std::function<absl::StatusOr<FileSystemPtr>(FileSystemPtr plugin)> wrap =
      nullptr;
};

// Registers the tests as those of `suite`, a string that lives as long as the
// process. Call it before RUN_ALL_TESTS. The plugin is loaded by the first
// test that runs; failing to load it fails each. Returns true.
bool RegisterConformanceTests(const char* suite, ConformanceTests tests);

}  // namespace fsload

// Registers the tests at namespace scope, given a plugin's path and a root.
#define FSLOAD_CONFORMANCE_TESTS(suite, ...)           \
  [[maybe_unused]] static const bool k##suite##Tests = \
      ::fsload::RegisterConformanceTests(#suite, {__VA_ARGS__})

#endif  // FSLOAD_CONFORMANCE_GTEST_H_
