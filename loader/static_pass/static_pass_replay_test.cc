// The corpus of static_pass_fuzzer.cc, and truncated and damaged real plugins,
// through the same entry point.
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "loader/testing/test_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace fsload {
namespace {

constexpr const char* kPlugins[] = {
    "testdata/posix.so",
    "testdata/linking/newer_neighbour.so",
    "testdata/linking/sysv_hash.so",
    "testdata/linking/with_neighbour.so",
    "testdata/fuzz/static_pass/aarch64",
};

void Replay(std::string_view bytes) {
  // In memory that ends where they do.
  const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
  EXPECT_EQ(LLVMFuzzerTestOneInput(exact.data(), exact.size()), 0);
}

TEST(StaticPassReplay, OutlivesTheCorpus) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator("testdata/fuzz/static_pass")) {
    SCOPED_TRACE(entry.path());
    Replay(ReadFile(entry.path()));
    ++files;
  }
  EXPECT_GT(files, 3);
}

TEST(StaticPassReplay, OutlivesPluginsCutOffAnywhere) {
  constexpr size_t kCuts = 40;
  for (const char* const plugin : kPlugins) {
    SCOPED_TRACE(plugin);
    const std::string bytes = ReadFile(plugin);
    for (size_t i = 0; i < kCuts; ++i) {
      Replay(std::string_view(bytes).substr(0, bytes.size() * i / kCuts));
    }
  }
}

TEST(StaticPassReplay, OutlivesPluginsForAnyProcessorCutOffAtEachByte) {
  for (const char* const name : {"aarch64", "x86_64"}) {
    const std::string bytes =
        ReadFile(std::string("testdata/fuzz/static_pass/") + name);
    for (size_t end = 0; end < bytes.size(); ++end) {
      Replay(std::string_view(bytes).substr(0, end));
    }
  }
}

// The end of the tables that the dynamic linker reads.
size_t EndOfTables(const std::string& bytes) {
  constexpr size_t kTables = 0x3000;
  return std::min(bytes.size(), kTables);
}

TEST(StaticPassReplay, OutlivesDamagedPlugins) {
  constexpr int kSeed = 20'261'121;
  constexpr int kRounds = 60;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  for (const char* const plugin : kPlugins) {
    const std::string whole = ReadFile(plugin);
    for (int round = 0; round < kRounds; ++round) {
      SCOPED_TRACE(testing::Message() << plugin << " round " << round);
      std::string bytes = whole;
      const size_t end = round % 2 == 0 ? EndOfTables(whole) : whole.size();
      for (unsigned changes = 1 + random() % 16; changes > 0; --changes) {
        bytes[sizeof(Elf64_Ehdr) + random() % (end - sizeof(Elf64_Ehdr))] =
            static_cast<char>(random());
      }
      Replay(bytes);
    }
  }
}

}  // namespace
}  // namespace fsload
