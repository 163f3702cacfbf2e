// replaying PLUGIN FILE JOURNAL, as in: replaying posix.so
// posix:///etc/hostname calls.journal
#include <iostream>

#include "fsload/plugin_loader.h"
#include "fsload/recorder.h"
#include "fsload/replay.h"
#include "fsload/whole_file.h"

// Reads `uri` through the plugin, whose calls go to the journal.
absl::StatusOr<std::string> Record(const std::string& plugin,
                                   const std::string& uri,
                                   const std::string& path) {
  auto recorder = fsload::Recorder::Create(path);
  if (!recorder.ok()) return recorder.status();
  fsload::SchemeRegistry registry;
  fsload::LoadOptions options;
  options.registry = &registry;
  options.wrap = [&](fsload::FileSystemPtr loaded) {
    return fsload::RecordCalls(std::move(loaded), *recorder);
  };
  absl::Status status = fsload::LoadPlugin(plugin, options).status;
  if (!status.ok()) return status;
  absl::StatusOr<std::string> text;
  if (const auto files = registry.Resolve(uri); files.ok()) {
    text = fsload::ReadWholeFile(**files, uri);
  } else {
    text = files.status();
  }
  status = registry.RetireAll();  // runs cleanup
  status.Update((*recorder)->status());
  if (!status.ok()) return status;
  return text;
}

// Reads it from the journal, without the plugin.
absl::StatusOr<std::string> Replay(const std::string& path,
                                   const std::string& uri) {
  const auto journal = fsload::Journal::Read(path);
  if (!journal.ok()) return journal.status();
  const auto file_systems = journal->Replay();
  if (!file_systems.ok()) return file_systems.status();
  return fsload::ReadWholeFile(*file_systems->front(), uri);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const auto recorded = Record(argv[1], argv[2], argv[3]);
  const auto replayed =
      recorded.ok() ? Replay(argv[3], argv[2]) : recorded.status();
  if (!replayed.ok()) {
    std::cerr << replayed.status() << "\n";
    return 1;
  }
  std::cout << *replayed;
  return *replayed == *recorded ? 0 : 1;
}
