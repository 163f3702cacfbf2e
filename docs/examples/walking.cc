// walking PLUGIN DIRECTORY, as in: walking posix.so posix:///tmp
#include <iostream>

#include "absl/time/time.h"
#include "fsload/by_uri.h"
#include "fsload/call_pool.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "fsload/walk.h"

// Prints each file below `directory` with its length, in the order of names.
absl::Status PrintFiles(const fsload::FileSystem& files,
                        const std::string& directory) {
  fsload::WalkOptions options;
  options.detail = fsload::WalkDetail::kStatistics;
  options.recursive = true;
  absl::StatusOr<fsload::Walk> walk =
      fsload::Walk::Begin(files, directory, options);
  if (!walk.ok()) return walk.status();
  for (;;) {
    const auto entry = walk->Next();
    if (!entry.ok() || !entry->has_value()) return entry.status();
    const fsload::WalkEntry& found = **entry;
    if (!found.status.ok()) std::cerr << found.status << "\n";
    if (!found.found.has_value() || found.found->is_directory) continue;
    std::cout << found.found->length << " " << found.path << "\n";
  }
}

// Whether `uri` is there, if the plugin says so within five seconds.
absl::Status Ask(fsload::CallPool& pool, const std::string& uri) {
  return pool.Call([uri] { return fsload::FileExists(uri); },
                   {absl::Seconds(5)});
}

absl::Status Run(const std::string& directory) {
  fsload::CallPool pool;
  absl::Status status = Ask(pool, directory);
  if (!status.ok()) return status;
  const auto files = fsload::SchemeRegistry::Default().Resolve(directory);
  return files.ok() ? PrintFiles(**files, directory) : files.status();
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  absl::Status status = fsload::LoadPlugin(argv[1]).status;
  if (status.ok()) status = Run(argv[2]);
  status.Update(fsload::SchemeRegistry::Default().RetireAll());  // runs cleanup
  if (!status.ok()) std::cerr << status.ToString() << "\n";
  return status.ok() ? 0 : 1;
}
