// isolated PLUGIN URI..., as in: isolated libs3.so s3://bucket/a s3://bucket/b
//
// Lists directories with a plugin in a process of its own, and goes on after
// its crashes.
#include <iostream>

#include "fsload/by_uri.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: isolated PLUGIN URI...\n";
    return 2;
  }
  fsload::LoadOptions options;
  options.isolation.emplace();
  options.isolation->call_timeout = absl::Seconds(10);
  const fsload::LoadReport report = fsload::LoadPlugin(argv[1], options);
  if (!report.status.ok()) {
    std::cerr << report.status << "\n";
    return 1;
  }
  for (int i = 2; i < argc; ++i) {
    const auto names = fsload::GetChildren(argv[i]);
    if (!names.ok()) {
      std::cout << names.status() << "\n";
      continue;  // the next call starts a new process
    }
    for (const std::string& name : *names) std::cout << name << "\n";
  }
  return fsload::SchemeRegistry::Default().RetireAll(absl::Seconds(5)).ok() ? 0
                                                                            : 1;
}
