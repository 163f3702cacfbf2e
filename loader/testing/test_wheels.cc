#include "loader/testing/test_wheels.h"

#include <minizip/zip.h>
#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "loader/testing/test_files.h"

namespace fsload {
namespace {

void Require(bool done, const char* what) {
  if (done) return;
  std::fprintf(stderr, "a test's wheel: %s failed\n", what);
  std::abort();
}

void Add(zipFile zip, const TestEntry& entry) {
  zip_fileinfo info = {};
  info.external_fa = uLong{entry.mode} << 16;
  const auto* const bytes =
      reinterpret_cast<const Bytef*>(entry.contents.data());
  const auto size = static_cast<unsigned>(entry.contents.size());
  constexpr int kWindowBits = -15;  // no header
  constexpr int kMemory = 8;        // zlib's default
  Require(
      zipOpenNewFileInZip3(
          zip, entry.name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr,
          entry.stored ? 0 : Z_DEFLATED, Z_BEST_SPEED, /*raw=*/0, kWindowBits,
          kMemory, Z_DEFAULT_STRATEGY, entry.encrypted ? "password" : nullptr,
          crc32(0, bytes, size)) == ZIP_OK,
      "zipOpenNewFileInZip3");
  Require(zipWriteInFileInZip(zip, entry.contents.data(), size) == ZIP_OK,
          "zipWriteInFileInZip");
  Require(zipCloseFileInZip(zip) == ZIP_OK, "zipCloseFileInZip");
}

}  // namespace

std::string MakeWheel(std::string_view name,
                      const std::vector<TestEntry>& entries) {
  const std::string folder = NewPath("wheel");
  std::filesystem::create_directories(folder);
  std::string path = folder + "/" + std::string(name);
  const zipFile zip = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  Require(zip != nullptr, "zipOpen64");
  for (const TestEntry& entry : entries) Add(zip, entry);
  Require(zipClose(zip, nullptr) == ZIP_OK, "zipClose");
  return path;
}

TestCache::TestCache() : path_(NewPath("cache")) {
  setenv("XDG_CACHE_HOME", path_.c_str(), 1);
}

TestCache::~TestCache() { unsetenv("XDG_CACHE_HOME"); }

}  // namespace fsload
