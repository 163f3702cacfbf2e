// Findings when the kernel, or a container, refuses what loading needs.
#include <sys/resource.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "absl/base/config.h"
#include "core/testing/refused_calls.h"
#include "fsload/filesystem_interface.h"
#include "fsload/load_report.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

// Ends a test's child, with the findings on standard error.
[[noreturn]] void Tell(const LoadReport& report) {
  for (const Finding& finding : report.findings) {
    std::fprintf(stderr, "%s\n", ToString(finding).c_str());
  }
  std::fflush(stderr);
  _exit(report.status.ok() ? 0 : 1);
}

LoadReport LoadMinimal() {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  return LoadPlugin("testdata/minimal.so", options);
}

// A plugin that is linked into this program: loading it needs no files.
void InitMinimalPlugin(TF_FilesystemPluginInfo* info) {
  info->plugin_memory_allocate = [](size_t bytes) {
    return std::calloc(1, bytes);
  };
  info->plugin_memory_free = [](void* memory) { std::free(memory); };
  const auto allocate = info->plugin_memory_allocate;
  info->num_schemes = 1;
  info->ops = static_cast<TF_FilesystemPluginOps*>(
      allocate(sizeof(TF_FilesystemPluginOps)));
  TF_SetFilesystemVersionMetadata(info->ops);
  info->ops->scheme = static_cast<char*>(allocate(7));
  std::snprintf(info->ops->scheme, 7, "linked");
  info->ops->filesystem_ops =
      static_cast<TF_FilesystemOps*>(allocate(sizeof(TF_FilesystemOps)));
  info->ops->filesystem_ops->init = [](TF_Filesystem*, TF_Status*) {};
  info->ops->filesystem_ops->cleanup = [](TF_Filesystem*) {};
}

LoadReport RegisterLinked() {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  return RegisterPlugin("ours", InitMinimalPlugin, options);
}

TEST(RefusingSystemTest, SaysThatTheFileCannotBeCopied) {
  const auto load = [] {
    if (!RefuseCalls({{SYS_memfd_create, EPERM}})) _exit(2);
    Tell(LoadMinimal());
  };
  EXPECT_EXIT(load(), testing::ExitedWithCode(1),
              "^FSP015: cannot make a private copy of the plugin: "
              "memfd_create: Operation not permitted; it is not loaded from a "
              "file that others can change\n$");
}

TEST(RefusingSystemTest, SaysThatNoDescriptorIsLeftForTheMemoryMap) {
#ifdef ABSL_HAVE_ADDRESS_SANITIZER
  GTEST_SKIP() << "a sanitizer itself needs descriptors";
#endif
  const auto load = [] {
    constexpr rlimit kNoFiles = {0, 0};
    if (setrlimit(RLIMIT_NOFILE, &kNoFiles) != 0) _exit(2);
    Tell(RegisterLinked());
  };
  EXPECT_EXIT(load(), testing::ExitedWithCode(1),
              "^FSP297: /proc/self/maps cannot be opened: Too many open files; "
              "close unused files, or raise the limit \\(ulimit -n\\)\n$");
}

TEST(RefusingSystemTest, SaysThatTheMemoryMapIsForbidden) {
  const auto load = [] {
    if (!RefuseCalls({{SYS_openat, EACCES}})) _exit(2);
    Tell(RegisterLinked());
  };
  EXPECT_EXIT(load(), testing::ExitedWithCode(1),
              "^FSP125: cannot read /proc/self/maps: Permission denied; code "
              "cannot be distinguished from data\n$");
}

TEST(RefusingSystemTest, SaysThatTheTablesCannotBeSealed) {
  const auto load = [] {
    if (!RefuseCalls({{SYS_memfd_create, EPERM}, {SYS_mprotect, EPERM}})) {
      _exit(2);
    }
    Tell(RegisterLinked());
  };
  EXPECT_EXIT(load(), testing::ExitedWithCode(1),
              "^FSP126: cannot seal the tables: mprotect: Operation "
              "not permitted; they are not used unsealed\n$");
}

}  // namespace
}  // namespace fsload
