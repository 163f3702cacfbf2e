// The corpus of journal_fuzzer.cc, and damaged variants of it, through the same
// entry point.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace fsload {
namespace {

void Read(std::string_view bytes) {
  // In memory that ends where they do.
  const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
  EXPECT_EQ(LLVMFuzzerTestOneInput(exact.data(), exact.size()), 0);
}

std::vector<std::string> Corpus() {
  std::vector<std::string> texts;
  for (const auto& entry :
       std::filesystem::directory_iterator("testdata/fuzz/journal")) {
    std::ifstream file(entry.path());
    texts.emplace_back(std::istreambuf_iterator<char>(file),
                       std::istreambuf_iterator<char>());
  }
  EXPECT_GT(texts.size(), 2);
  return texts;
}

TEST(DamagedJournal, IsOutlivedWhereverItIsCutOff) {
  for (const std::string& text : Corpus()) {
    for (size_t end = 0; end <= text.size(); end += 1 + end / 50) {
      Read(std::string_view(text).substr(0, end));
    }
  }
}

// Most changes of single bytes leave no JSON, so words are exchanged, too.
TEST(DamagedJournal, IsOutlivedWhateverIsChanged) {
  constexpr const char* kWords[] = {"0",
                                    "-1",
                                    "18446744073709551615",
                                    "\"\"",
                                    "[]",
                                    "{}",
                                    "null",
                                    "1e9",
                                    "\"OK\"",
                                    "[1]",
                                    "{\"base64\":\"AA==\"}"};
  constexpr int kSeed = 20'261'123;
  constexpr int kRounds = 300;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  for (const std::string& whole : Corpus()) {
    if (whole.empty()) continue;
    for (int round = 0; round < kRounds; ++round) {
      std::string text = whole;
      const size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1: {  // the value after a colon or a comma
          const size_t begin = text.find_first_of(":,", at);
          if (begin == std::string::npos) break;
          const size_t end = text.find_first_of(",]}", begin + 1);
          text.replace(begin + 1, end - begin - 1,
                       kWords[random() % std::size(kWords)]);
          break;
        }
        default:
          text.erase(at, 1 + random() % 40);
      }
      Read(text);
    }
  }
}

}  // namespace
}  // namespace fsload
