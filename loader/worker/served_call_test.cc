// Requests of a host that lies. A fuzzer makes more of them: request_fuzzer.cc.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "loader/isolation/fields.h"
#include "loader/testing/test_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace fsload {
namespace {

void Serve(const std::string& request) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(request.data()),
                         request.size());
}

std::string Numbers(uint8_t op, uint8_t file, uint8_t contents) {
  std::string numbers(6, '\0');
  numbers[0] = static_cast<char>(op);
  numbers[2] = static_cast<char>(file);
  numbers[4] = static_cast<char>(contents);
  return numbers;
}

// Fields that some operation takes.
std::vector<std::string> RightFields() {
  std::vector<std::string> all = {""};
  FieldWriter path;
  path.Text("memory:///f");
  all.push_back(path.bytes());
  path.Text("memory:///g");
  all.push_back(path.bytes());
  FieldWriter statistics;
  statistics.Text("memory:///f");
  for (int i = 0; i < 3; ++i) statistics.Number(0);
  all.push_back(statistics.bytes());
  FieldWriter paths;
  paths.Number(1);
  paths.Number(2);
  for (int i = 0; i < 2; ++i) {
    paths.Text("memory:///f");
    paths.Number(0);
    paths.Text("");
  }
  all.push_back(paths.bytes());
  FieldWriter token;
  token.Text("memory:///f");
  token.Number(1);
  all.push_back(token.bytes());
  return all;
}

TEST(ServedCall, SurvivesTheCorpus) {
  int files = 0;
  for (const auto& each :
       std::filesystem::directory_iterator("testdata/fuzz/requests")) {
    SCOPED_TRACE(each.path());
    Serve(ReadFile(each.path()));
    ++files;
  }
  EXPECT_GT(files, 3);
}

TEST(ServedCall, SurvivesEachOperationWithFieldsOfOthersCutAnywhere) {
  for (int op = 0; op < 64; ++op) {
    for (const std::string& fields : RightFields()) {
      for (size_t cut = 0; cut <= fields.size(); ++cut) {
        Serve(Numbers(static_cast<uint8_t>(op), 1, 16) + fields.substr(0, cut));
      }
    }
  }
}

TEST(ServedCall, SurvivesWhatIsNoRequest) {
  std::mt19937 random(11);
  const std::vector<std::string> right = RightFields();
  for (int i = 0; i < 20'000; ++i) {
    std::string fields = right[random() % right.size()];
    for (size_t changes = random() % 4; changes > 0 && !fields.empty();
         --changes) {
      fields[random() % fields.size()] = static_cast<char>(random());
    }
    Serve(Numbers(static_cast<uint8_t>(random() % 48),
                  static_cast<uint8_t>(random() % 8),
                  static_cast<uint8_t>(random())) +
          fields);
  }
}

}  // namespace
}  // namespace fsload
