// TensorFlow as the host to benchmark, with the interface of
// core/testing/benchmark_host.h and loader/contract/tree_benchmark_host.h.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tensorflow/c/c_api.h"
#include "tensorflow/core/platform/env.h"

namespace fsload {
class BarePlugin;
}  // namespace fsload

namespace benchmark_host {

inline constexpr char kName[] = "tensorflow";

using Reader = tensorflow::RandomAccessFile;
using Writer = tensorflow::WritableFile;

inline tensorflow::Env& Env() {
  static tensorflow::Env* const env = tensorflow::Env::Default();
  return *env;
}

inline void Register(const char* path) {
  TF_Status* const status = TF_NewStatus();
  TF_RegisterFilesystemPlugin(path, status);
  if (TF_GetCode(status) != TF_OK) {
    std::fprintf(stderr, "%s\n", TF_Message(status));
    std::exit(1);
  }
  TF_DeleteStatus(status);
}

inline void Register(const char* path, const fsload::BarePlugin&) {
  Register(path);
}

inline std::unique_ptr<Reader> OpenReader(const std::string& uri) {
  std::unique_ptr<Reader> file;
  if (!Env().NewRandomAccessFile(uri, &file).ok()) return nullptr;
  return file;
}

inline std::unique_ptr<Writer> OpenWriter(const std::string& uri) {
  std::unique_ptr<Writer> file;
  if (!Env().NewWritableFile(uri, &file).ok()) return nullptr;
  return file;
}

inline bool Read(const Reader& file, uint64_t offset, size_t n, char* buffer) {
  absl::string_view bytes;
  return file.Read(offset, bytes, absl::MakeSpan(buffer, n)).ok();
}

inline bool Append(Writer& file, std::string_view data) {
  return file.Append(absl::string_view(data.data(), data.size())).ok();
}

inline bool Tell(Writer& file) {
  int64_t position;
  return file.Tell(&position).ok();
}

inline bool Exists(const std::string& uri) {
  return Env().FileExists(uri).ok();
}

inline bool Stat(const std::string& uri) {
  tensorflow::FileStatistics statistics;
  return Env().Stat(uri, &statistics).ok();
}

inline bool Glob(const std::string& pattern, std::vector<std::string>* paths) {
  return Env().GetMatchingPaths(pattern, paths).ok();
}

inline bool Delete(const std::string& uri) {
  int64_t files;
  int64_t directories;
  return Env().DeleteRecursively(uri, &files, &directories).ok();
}

inline bool MakeDirectories(const std::string& uri) {
  return Env().RecursivelyCreateDir(uri).ok();
}

inline bool Copy(const std::string& from, const std::string& to) {
  return Env().CopyFile(from, to).ok();
}

}  // namespace benchmark_host
