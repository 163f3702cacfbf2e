#include "loader/testing/test_files.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "loader/machine/machine.h"

namespace fsload {
namespace {

int NextNumber() {
  static std::atomic<int> count{0};
  return ++count;
}

}  // namespace

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::cerr << "cannot read " << path << "\n";
    std::abort();
  }
  return std::string(std::istreambuf_iterator<char>(file),
                     std::istreambuf_iterator<char>());
}

void WriteFile(const std::string& path, std::string_view contents) {
  const std::filesystem::path target(path);
  std::filesystem::create_directories(target.parent_path());
  std::filesystem::remove(target);
  std::ofstream file(target, std::ios::binary);
  file.write(contents.data(), contents.size());
  file.close();
  std::filesystem::permissions(target, std::filesystem::perms::owner_all);
}

// The process number separates the children of a test.
std::string NewPath(std::string_view name) {
  const std::string folder = testing::TempDir() + std::to_string(getpid()) +
                             "_" + std::to_string(NextNumber());
  std::filesystem::create_directories(folder);
  return folder + "/" + std::string(name);
}

std::string FreshCopy(const std::string& path) {
  const std::string copy =
      NewPath(std::filesystem::path(path).filename().string());
  WriteFile(copy, ReadFile(path) + "copy " + copy);
  return copy;
}

std::string MakeForeign(std::string shared_object) {
  const uint16_t machine = EM_PPC64;
  shared_object.replace(offsetof(Elf64_Ehdr, e_machine), sizeof(machine),
                        reinterpret_cast<const char*>(&machine),
                        sizeof(machine));
  return shared_object;
}

std::string ForeignProblem() {
  const std::string here(ThisMachine().name);
  return "it is for ppc64le; this program is " + here +
         ": install its build for " + here;
}

PluginLog::PluginLog(const char* variable)
    : variable_(variable), path_(NewPath("log")) {
  setenv(variable_, path_.c_str(), /*overwrite=*/1);
}

PluginLog::~PluginLog() { unsetenv(variable_); }

void PluginLog::Clear() { std::ofstream(path_).close(); }

std::vector<std::string> PluginLog::Lines() const {
  std::ifstream file(path_);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

SchemesFile::SchemesFile(std::string_view text)
    : path_(NewPath("schemes.toml")) {
  WriteFile(path_, text);
  chmod(path_.c_str(), 0600);
  setenv("FSLOAD_SCHEMES", path_.c_str(), /*overwrite=*/1);
}

SchemesFile::~SchemesFile() { unsetenv("FSLOAD_SCHEMES"); }

}  // namespace fsload
