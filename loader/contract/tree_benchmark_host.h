// fsload as the host of loader/contract/tree_benchmark.cc, with a plugin that
// it loaded; another header of this shape is another host
// (docs/benchmarks/tensorflow/host.h).
#pragma once

#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "fsload/by_uri.h"
#include "fsload/plugin_loader.h"

namespace benchmark_host {

inline constexpr char kName[] = "fsload";

inline void Register(const char* plugin) {
  // As a program that knows its plugin does.
  fsload::LoadOptions options;
  options.trust_untested = true;
  const fsload::LoadReport report = fsload::LoadPlugin(plugin, options);
  if (report.status.ok()) return;
  std::cerr << report.status << "\n";
  std::exit(1);
}

// Each returns whether it succeeded.

inline bool Glob(const std::string& pattern, std::vector<std::string>* paths) {
  auto found = fsload::GetMatchingPaths(pattern);
  if (!found.ok()) return false;
  *paths = *std::move(found);
  return true;
}

inline bool Delete(const std::string& uri) {
  return fsload::DeleteRecursively(uri).ok();
}

inline bool MakeDirectories(const std::string& uri) {
  return fsload::RecursivelyCreateDir(uri).ok();
}

inline bool Copy(const std::string& from, const std::string& to) {
  return fsload::CopyFile(from, to).ok();
}

}  // namespace benchmark_host
