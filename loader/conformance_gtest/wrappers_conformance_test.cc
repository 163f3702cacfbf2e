// The conformance suite on wrappers of correct plugins: nothing that the
// contract requires may get lost on the way through them.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "fsload/conformance_gtest.h"
#include "fsload/faulty.h"
#include "fsload/metered.h"
#include "fsload/retrying.h"
#include "fsload/subtree.h"

namespace fsload {
namespace {

using Wrap = std::function<absl::StatusOr<FileSystemPtr>(FileSystemPtr)>;

absl::StatusOr<FileSystemPtr> Count(FileSystemPtr inner) {
  return Metered(std::move(inner), std::make_shared<OpMeter>());
}

// A plan without rules.
absl::StatusOr<FileSystemPtr> FailNothing(FileSystemPtr inner) {
  return Faulty(std::move(inner), {});
}

absl::StatusOr<FileSystemPtr> Retry(FileSystemPtr inner) {
  return Retrying(std::move(inner));
}

// Fails every second call of operations that are repeated. Threads may meet
// several of these in a row.
absl::StatusOr<FileSystemPtr> FailAndRetry(FileSystemPtr inner) {
  FaultPlan plan;
  for (const Op op :
       {Op::kFilesystem_stat, Op::kFilesystem_get_children,
        Op::kFilesystem_new_writable_file, Op::kRandomAccessFile_read,
        Op::kFilesystem_path_exists, Op::kFilesystem_is_directory,
        Op::kFilesystem_recursively_create_dir,
        Op::kFilesystem_new_random_access_file, Op::kWritableFile_tell}) {
    FaultRule rule;
    rule.op = op;
    rule.every = 2;
    plan.rules.push_back(rule);
  }
  RetryOptions options;
  options.max_attempts = 1'000;
  options.initial_backoff = absl::Microseconds(1);
  auto faulty = Faulty(std::move(inner), std::move(plan));
  if (!faulty.ok()) return faulty;
  return Retrying(*std::move(faulty), options);
}

// The directory `root`, which is made first.
Wrap Below(const std::string& root) {
  return [root](FileSystemPtr inner) -> absl::StatusOr<FileSystemPtr> {
    const absl::Status made = inner->RecursivelyCreateDir(root);
    if (!made.ok()) return made;
    return Subtree(std::move(inner), root, "sub");
  };
}

// All of them: retrying over metered over faulty over a subtree.
Wrap Stack(const std::string& root) {
  return [root](FileSystemPtr inner) -> absl::StatusOr<FileSystemPtr> {
    auto stack = Below(root)(std::move(inner));
    if (stack.ok()) stack = FailNothing(*std::move(stack));
    if (stack.ok()) stack = Count(*std::move(stack));
    if (stack.ok()) stack = Retry(*std::move(stack));
    return stack;
  };
}

void Register(const char* suite, const char* plugin, const std::string& root,
              Wrap wrap) {
  ConformanceTests tests;
  tests.plugin = std::string("testdata/") + plugin + ".so";
  tests.root = root;
  tests.wrap = std::move(wrap);
  RegisterConformanceTests(suite, std::move(tests));
}

}  // namespace
}  // namespace fsload

int main(int argc, char** argv) {
  using namespace fsload;
  ::testing::InitGoogleTest(&argc, argv);
  const std::string disk = ::testing::TempDir() + "wrapped_";
  const std::string memory = "memory:///wrapped_";
  // On disks each case takes longer: there only what paths matter to.
  Register("RetryingFaultyPosix", "posix", "posix://" + disk + "faulty",
           FailAndRetry);
  Register("StackOnPosix", "posix", "sub:///d",
           Stack("posix://" + disk + "stack"));
  Register("StackOnLeaves", "posix_leaves", "sub:///d",
           Stack("leaves://" + disk + "leaves"));
  Register("MeteredMemory", "memory", memory + "metered", Count);
  Register("FaultyMemory", "memory", memory + "faulty", FailNothing);
  Register("RetryingMemory", "memory", memory + "retrying", Retry);
  Register("SubtreeOfMemory", "memory", "sub:///d", Below(memory + "subtree"));
  Register("StackOnMemory", "memory", "sub:///d", Stack(memory + "stack"));
  return RUN_ALL_TESTS();
}
