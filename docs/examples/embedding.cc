// embedding PLUGIN FOLDER, as in: embedding posix.so posix:///tmp
#include <iostream>

#include "core/file_system.h"
#include "core/scheme_registry.h"
#include "loader/plugin_loader.h"

absl::Status Use(const fsload::FileSystem& files, const std::string& folder) {
  auto out = files.NewWritableFile(folder + "/greeting");
  if (!out.ok()) return out.status();
  absl::Status stored = (*out)->Append("hello\n");
  stored.Update((*out)->Close());
  if (!stored.ok()) return stored;

  auto names = files.GetChildren(folder);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) std::cout << name << "\n";

  auto in = files.NewRandomAccessFile(folder + "/greeting");
  if (!in.ok()) return in.status();
  char text[80];
  auto bytes = (*in)->Read(0, sizeof(text), text);  // fewer: the end of file
  if (bytes.ok()) std::cout << std::string_view(text, *bytes);
  return bytes.status();
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  auto& registry = fsload::SchemeRegistry::Default();
  absl::Status status = fsload::LoadPlugin(argv[1]).status;
  if (status.ok()) {
    auto files = registry.Resolve(argv[2]);
    status = files.ok() ? Use(**files, argv[2]) : files.status();
  }
  for (const std::string& scheme : registry.Schemes()) {
    registry.Retire(scheme).IgnoreError();  // cleans up, before static objects
  }
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
