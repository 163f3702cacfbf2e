#include "testdata/hdfs/faults.h"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>

#include "testdata/hdfs/java_error.h"

namespace hdfs_model {
namespace {

std::multimap<std::string, std::string, std::less<>> Parse() {
  std::multimap<std::string, std::string, std::less<>> faults;
  const char* const given = getenv("FSLOAD_TEST_HDFS_FAULTS");
  std::istringstream words(given == nullptr ? "" : given);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    if (equals == word.npos) abort();
    faults.emplace(word.substr(0, equals), word.substr(equals + 1));
  }
  return faults;
}

const std::multimap<std::string, std::string, std::less<>>& Faults() {
  static const auto* const faults = new auto(Parse());
  return *faults;
}

// Counts from 1.
int64_t NumberOfCall(std::string_view operation) {
  static std::mutex mutex;
  static auto* const calls = new std::map<std::string, int64_t, std::less<>>();
  const std::lock_guard<std::mutex> lock(mutex);
  return ++(*calls)[std::string(operation)];
}

bool Matches(const std::string& fault, int64_t number,
             const std::string& path) {
  if (fault[0] == '/') return fault == path;
  const int64_t from = std::stoll(fault);
  return fault.back() == '+' ? number >= from : number == from;
}

}  // namespace

void FailIfAsked(std::string_view operation, const std::string& path) {
  const auto [begin, end] = Faults().equal_range(operation);
  if (begin == end) return;
  const int64_t number = NumberOfCall(operation);
  for (auto fault = begin; fault != end; ++fault) {
    if (!Matches(fault->second, number, path)) continue;
    throw OtherError("SocketTimeoutException: Call failed on socket timeout: " +
                     std::string(operation) + " " + path);
  }
}

int64_t Quota() {
  const auto found = Faults().find("quota");
  return found == Faults().end() ? INT64_MAX : std::stoll(found->second);
}

bool LeavesStaleErrno() { return Faults().count("errno") != 0; }

}  // namespace hdfs_model
