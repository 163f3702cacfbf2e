// What is refused, and the messages: each plugin of testdata/broken.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/testing/test_files.h"

// The leak checker's, in builds that have it.
extern "C" {
void __lsan_disable() __attribute__((weak));
void __lsan_enable() __attribute__((weak));
}

namespace fsload {
namespace {

using testing::ElementsAreArray;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

// `text` with ADDRESS in place of numbers that differ from run to run.
std::string HideAddresses(std::string text) {
  constexpr size_t kShortest = 6;  // digits; 0x40 is always the same
  for (size_t at = text.find("0x"); at != std::string::npos;
       at = text.find("0x", at + 1)) {
    const size_t end = text.find_first_not_of("0123456789abcdef", at + 2);
    if (end - at - 2 >= kShortest) text.replace(at, end - at, "ADDRESS");
  }
  return text;
}

std::vector<std::string> Texts(const LoadReport& report) {
  std::vector<std::string> texts;
  for (const Finding& finding : report.findings) {
    texts.push_back(HideAddresses(ToString(finding)));
  }
  return texts;
}

struct Variant {
  std::string_view name;  // of testdata/broken.bzl
  std::vector<std::string> findings;
};

std::string PathOf(const Variant& variant) {
  return "testdata/broken_" + std::string(variant.name) + ".so";
}

std::string NameOf(const testing::TestParamInfo<Variant>& info) {
  return std::string(info.param.name);
}

// What such a plugin hands over cannot be freed.
bool HasNoUsableHooks(const Variant& variant) {
  return variant.name == "hook_not_code" || variant.name == "null_hooks" ||
         variant.name == "one_hook" || variant.name == "free_throws";
}

LoadReport LoadWithLeaks(const std::string& path, const LoadOptions& options) {
  if (__lsan_disable != nullptr) __lsan_disable();
  LoadReport report = LoadPlugin(path, options);
  if (__lsan_enable != nullptr) __lsan_enable();
  return report;
}

class RefusedPlugin : public testing::TestWithParam<Variant> {};

TEST_P(RefusedPlugin, BreaksOneRuleAndLeavesNothingRegistered) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const std::string path = FreshCopy(PathOf(GetParam()));
  const LoadReport report = HasNoUsableHooks(GetParam())
                                ? LoadWithLeaks(path, options)
                                : LoadPlugin(path, options);
  EXPECT_THAT(Texts(report), ElementsAreArray(GetParam().findings));
  EXPECT_EQ(report.status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(report.status.message(),
            path + ": " + ToString(report.findings.at(0)));
  EXPECT_EQ(report.plugin, path);
  EXPECT_THAT(registry.Schemes(), IsEmpty());
  for (const SchemeReport& scheme : report.schemes) {
    EXPECT_FALSE(scheme.registered) << scheme.scheme;
  }
}

// A finding about scheme 'broken'.
std::vector<std::string> Broken(std::string_view rule, std::string_view text) {
  return {std::string(rule) + ": scheme 'broken': " + std::string(text)};
}

const Variant kRefused[] = {
    {"bad_scheme",
     {"FSP106: scheme 'no good': not valid; it must be a letter "
      "followed by one or more letters, digits or dots, or \"\" for local "
      "paths"}},
    {"free_throws",
     {"FSP199: plugin_memory_free: the plugin threw "
      "std::runtime_error: out of luck; memory from the plugin could not be "
      "freed"}},
    {"hook_not_code",
     {"FSP122: plugin_memory_free is ADDRESS, which is not executable "
      "code; a call would crash"}},
    {"init_fails", Broken("FSP201",
                          "init failed: no server; the "
                          "scheme is not registered")},
    {"init_throws",
     Broken("FSP201",
            "init failed: the plugin threw std::runtime_error: out of luck; "
            "the scheme is not registered")},
    {"missing_cleanup", Broken("FSP118",
                               "TF_FilesystemOps: the required operation "
                               "cleanup is null; the scheme is refused")},
    {"missing_init", Broken("FSP118",
                            "TF_FilesystemOps: the required operation init is "
                            "null; the scheme is refused")},
    {"missing_raf_cleanup",
     Broken("FSP118",
            "TF_RandomAccessFileOps: the required operation cleanup is null; "
            "the scheme is refused")},
    {"missing_raf_table",
     Broken("FSP119",
            "new_random_access_file is set, but TF_RandomAccessFileOps is "
            "null; files that it opens could not be used")},
    {"missing_region_length",
     Broken("FSP118",
            "TF_ReadOnlyMemoryRegionOps: the required operation length is "
            "null; the scheme is refused")},
    {"missing_region_table", Broken("FSP119",
                                    "new_read_only_memory_region_from_file is "
                                    "set, but TF_ReadOnlyMemoryRegionOps is "
                                    "null; files that it opens could not be "
                                    "used")},
    {"missing_writable_table",
     {"FSP119: scheme 'broken': new_writable_file is set, but "
      "TF_WritableFileOps is null; files that it opens could not be used",
      "FSP119: scheme 'broken': new_appendable_file is set, but "
      "TF_WritableFileOps is null; files that it opens could not be used"}},
    {"no_entry",
     {"FSP009: it does not export TF_InitPlugin, so it is not a "
      "filesystem plugin"}},
    {"no_schemes",
     {"FSP102: wanted at least 1 scheme, found 0; nothing can be "
      "registered"}},
    {"null_filesystem_ops",
     Broken("FSP109",
            "its TF_FilesystemOps is null; there is nothing to call")},
    {"null_hooks",
     {"FSP120: plugin_memory_allocate is null; both allocator hooks "
      "must be set",
      "FSP120: plugin_memory_free is null; both allocator hooks must "
      "be "
      "set"}},
    {"null_ops_array",
     {"FSP104: the ops array (104 bytes at 0x0) cannot be read; no "
      "scheme can be loaded"}},
    {"null_scheme",
     {"FSP105: scheme 0: its name is null; it cannot be registered"}},
    {"old_entry_2_1",
     {"FSP010: TF_InitPlugin has the signature of TensorFlow 2.1 "
      "(it imports RegisterFilesystemPlugin); build the plugin against a "
      "tensorflow/c/experimental/filesystem/filesystem_interface.h whose "
      "TF_FilesystemPluginInfo has 32 bytes"}},
    {"one_hook",
     {"FSP121: only plugin_memory_free is replaced; memory would be "
      "freed by an allocator other than its own"}},
    {"op_not_code", Broken("FSP117",
                           "TF_FilesystemOps: path_exists is ADDRESS, which is "
                           "not executable code; a call would crash")},
    {"repeated_scheme",
     Broken("FSP107", "registered twice; fill in one entry per scheme")},
    {"second_init_fails",
     {"FSP201: scheme 'broken2': init failed: no server; "
      "the scheme is not registered"}},
    {"size_huge",
     Broken("FSP198",
            "TF_FilesystemOps: its size is 9223372036854775808 bytes, but no "
            "release has more than 264; the field is probably uninitialised")},
    {"size_not_multiple",
     Broken("FSP112",
            "TF_FilesystemOps: wanted a multiple of 8 bytes, found 261; its "
            "layout is unknown")},
    {"size_too_small",
     Broken("FSP111",
            "TF_FilesystemOps: wanted at least 16 bytes, found 8; its required "
            "operations do not fit")},
    {"table_without_size",
     Broken("FSP114",
            "TF_WritableFileOps: its size is 0; "
            "TF_SetFilesystemVersionMetadata was not called")},
    {"throws_in_init_plugin",
     {"FSP101: TF_InitPlugin failed: the plugin threw "
      "std::runtime_error: out of luck; the plugin's schemes are unknown"}},
    {"too_many_schemes",
     {"FSP103: wanted at most 256 schemes, found 257; num_schemes is "
      "probably uninitialised"}},
    {"unreadable_scheme",
     {"FSP105: scheme 0: its name cannot be read; it cannot be "
      "registered"}},
    {"unreadable_table",
     Broken("FSP110",
            "TF_FilesystemOps at 0x40: wanted 264 bytes, could read 0; the "
            "scheme is refused")},
    {"wrong_abi", Broken("FSP115",
                         "TF_FilesystemOps: wanted ABI 0, found 99; its "
                         "functions have other parameters")},
};

INSTANTIATE_TEST_SUITE_P(Broken, RefusedPlugin, testing::ValuesIn(kRefused),
                         NameOf);

class ToleratedPlugin : public testing::TestWithParam<Variant> {};

TEST_P(ToleratedPlugin, LoadsAndSaysWhatIsOdd) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const LoadReport report = LoadPlugin(FreshCopy(PathOf(GetParam())), options);
  EXPECT_THAT(Texts(report), ElementsAreArray(GetParam().findings));
  EXPECT_EQ(report.status, absl::OkStatus());
  std::vector<std::string> schemes;
  for (const SchemeReport& scheme : report.schemes) {
    EXPECT_TRUE(scheme.registered) << scheme.scheme;
    schemes.push_back(scheme.scheme);
  }
  EXPECT_THAT(registry.Schemes(), UnorderedElementsAreArray(schemes));
  for (const std::string& scheme : schemes) {
    EXPECT_EQ(registry.RetireAndWait(scheme, absl::ZeroDuration()),
              absl::OkStatus());
  }
}

const Variant kTolerated[] = {
    {"hooks_left",
     {"FSP123: the plugin uses the host's hooks; TensorFlow passes "
      "null there and would crash"}},
    {"larger_size",
     Broken("FSP113",
            "TF_FilesystemOps: wanted at most 264 bytes, found "
            "280; operations beyond the first 264 bytes are ignored")},
    {"newer_api", Broken("FSP116",
                         "TF_FilesystemOps: wanted API 0, found 99; some "
                         "operations may behave differently")},
    {"prints", {}},
    {"shared_tables", {}},
    {"size_without_table", {}},
    {"static_tables",
     {"FSP124: 4 of its 6 names, tables and arrays are static data, "
      "not "
      "from plugin_memory_allocate; TensorFlow would crash freeing them"}},
    {"taken", {}},
};

INSTANTIATE_TEST_SUITE_P(Broken, ToleratedPlugin, testing::ValuesIn(kTolerated),
                         NameOf);

}  // namespace
}  // namespace fsload
