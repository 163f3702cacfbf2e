// A class with each method that the SDK knows. Each calls `act` first, which
// may throw.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "fsload/plugin_sdk.h"

namespace fsload::plugin {

inline void (*act)() = [] {};

struct AllReaders {
  ~AllReaders() noexcept(false) { act(); }
  size_t Read(uint64_t, size_t n, char* buffer) {
    act();
    std::memset(buffer, 'x', n);
    return n;
  }
};

struct AllWriters {
  ~AllWriters() noexcept(false) { act(); }
  void Append(const char*, size_t) { act(); }
  int64_t Tell() { return act(), 7; }
  void Flush() { act(); }
  void Sync() { act(); }
  void Close() { act(); }
};

struct AllRegions {
  ~AllRegions() noexcept(false) { act(); }
  const char* data() { return act(), "mapped"; }
  size_t size() { return sized ? (act(), 6) : (sized = true, 6); }
  bool sized = false;  // the file is opened then
};

class AllMethods {
 public:
  AllMethods() { act(); }
  ~AllMethods() noexcept(false) { act(); }

  std::unique_ptr<AllReaders> NewRandomAccessFile(const std::string&) {
    return act(), std::make_unique<AllReaders>();
  }
  std::unique_ptr<AllWriters> NewWritableFile(const std::string&) {
    return act(), std::make_unique<AllWriters>();
  }
  std::unique_ptr<AllWriters> NewAppendableFile(const std::string&) {
    return act(), std::make_unique<AllWriters>();
  }
  std::unique_ptr<AllRegions> NewReadOnlyMemoryRegionFromFile(
      const std::string&) {
    return act(), std::make_unique<AllRegions>();
  }
  void CreateDir(const std::string&) { act(); }
  void RecursivelyCreateDir(const std::string&) { act(); }
  void DeleteFile(const std::string&) { act(); }
  void DeleteDir(const std::string&) { act(); }
  void DeleteRecursively(const std::string&, uint64_t*, uint64_t*) { act(); }
  void RenameFile(const std::string&, const std::string&) { act(); }
  void CopyFile(const std::string&, const std::string&) { act(); }
  bool PathExists(const std::string&) { return act(), true; }
  std::vector<bool> PathsExist(const std::vector<std::string>& paths) {
    return act(), std::vector<bool>(paths.size(), true);
  }
  TF_FileStatistics Stat(const std::string&) { return act(), kStatistics; }
  bool IsDirectory(const std::string&) { return act(), true; }
  int64_t GetFileSize(const std::string&) { return act(), 9; }
  std::string TranslateName(const std::string& uri) { return act(), "/" + uri; }
  std::vector<std::string> GetChildren(const std::string&) {
    return act(), kNames;
  }
  std::vector<std::string> GetMatchingPaths(const std::string&) {
    return act(), kNames;
  }
  void FlushCaches() { act(); }
  TF_TransactionToken* StartTransaction() { return act(), &token; }
  void EndTransaction(TF_TransactionToken*) { act(); }
  void AddToTransaction(const std::string&, TF_TransactionToken*) { act(); }
  TF_TransactionToken* GetTransactionForPath(const std::string&) {
    return act(), &token;
  }
  TF_TransactionToken* GetOrStartTransactionForPath(const std::string&) {
    return act(), &token;
  }
  std::string DecodeTransactionToken(const TF_TransactionToken*) {
    return act(), "a token";
  }
  std::vector<Option> GetConfiguration() { return act(), options; }
  void SetConfiguration(const std::vector<Option>& given) {
    act();
    options = given;
  }
  Option GetConfigurationOption(const std::string&) {
    return act(), options.at(0);
  }
  void SetConfigurationOption(const Option& option) {
    act();
    options.assign({option});
  }
  std::vector<std::string> GetConfigurationKeys() { return act(), kNames; }

  static constexpr TF_FileStatistics kStatistics = {3, 5, true};
  // The second is too long for a string without an allocation.
  const std::vector<std::string> kNames = {
      "one", "a name of more than the few bytes that fit into a string", ""};
  std::vector<Option> options = {
      {"ints",
       "three numbers",
       true,
       TF_Filesystem_Option_Type_Int,
       {1, -2, 3},
       {},
       {}},
      {"reals", "", false, TF_Filesystem_Option_Type_Real, {}, {0.5}, {}},
      {"buffers",
       "of bytes",
       false,
       TF_Filesystem_Option_Type_Buffer,
       {},
       {},
       {std::string("a\0b", 3), ""}}};
  TF_TransactionToken token = {};
};

}  // namespace fsload::plugin
