// fsload as the host that a benchmark measures; another header with the same
// functions is another host (docs/benchmarks/tensorflow/host.h).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/file_system/plugin_file_system.h"
#include "core/tables/op_tables.h"
#include "core/testing/bare_plugin.h"
#include "fsload/by_uri.h"
#include "fsload/file_system.h"
#include "fsload/scheme_registry.h"

namespace benchmark_host {

inline constexpr char kName[] = "fsload";

using Reader = fsload::RandomAccessFile;
using Writer = fsload::WritableFile;

// Registers the scheme of `plugin`. What the loader would check is known to be
// valid.
inline void Register(const char*, const fsload::BarePlugin& plugin) {
  fsload::SchemeTables tables;
  tables.filesystem = plugin.filesystem();
  tables.random_access_file = plugin.reading();
  tables.writable_file = plugin.writing();
  tables.memory = {plugin.info().plugin_memory_allocate,
                   plugin.info().plugin_memory_free};
  const auto sealed = fsload::OpTables::Seal({&tables, 1});
  if (!sealed.ok()) std::abort();
  const auto created = fsload::PluginFileSystem::Create(
      sealed->front(), plugin.info().ops->scheme, "the benchmark");
  if (!created.ok()) std::abort();
  if (!fsload::SchemeRegistry::Default().Register({*created}).ok())
    std::abort();
}

inline std::unique_ptr<Reader> OpenReader(const std::string& uri) {
  auto file = fsload::NewRandomAccessFile(uri);
  return file.ok() ? *std::move(file) : nullptr;
}

inline std::unique_ptr<Writer> OpenWriter(const std::string& uri) {
  auto file = fsload::NewWritableFile(uri);
  return file.ok() ? *std::move(file) : nullptr;
}

// Each returns whether it succeeded.

inline bool Read(const Reader& file, uint64_t offset, size_t n, char* buffer) {
  return file.Read(offset, n, buffer).ok();
}

inline bool Append(Writer& file, std::string_view data) {
  return file.Append(data).ok();
}

inline bool Tell(Writer& file) { return file.Tell().ok(); }

inline bool Exists(const std::string& uri) {
  return fsload::FileExists(uri).ok();
}

inline bool Stat(const std::string& uri) { return fsload::Stat(uri).ok(); }

}  // namespace benchmark_host
