// embedding PLUGIN FOLDER, as in: embedding posix.so posix:///tmp
#include <iostream>

#include "core/by_uri.h"
#include "core/scheme_registry.h"
#include "loader/plugin_loader.h"

absl::Status Use(const std::string& folder) {
  auto out = fsload::NewWritableFile(folder + "/greeting");
  if (!out.ok()) return out.status();
  absl::Status stored = (*out)->Append("hello\n");
  stored.Update((*out)->Close());
  if (!stored.ok()) return stored;

  auto names = fsload::GetChildren(folder);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) std::cout << name << "\n";

  auto in = fsload::NewRandomAccessFile(folder + "/greeting");
  if (!in.ok()) return in.status();
  char text[80];
  auto bytes = (*in)->Read(0, sizeof(text), text);  // fewer: the end of file
  if (bytes.ok()) std::cout << std::string_view(text, *bytes);
  return bytes.status();
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  absl::Status status = fsload::LoadPlugin(argv[1]).status;
  if (status.ok()) status = Use(argv[2]);
  if (!status.ok()) std::cerr << status << "\n";

  auto& registry = fsload::SchemeRegistry::Default();
  for (const std::string& scheme : registry.Schemes()) {
    registry.Retire(scheme).IgnoreError();  // cleans up, before static objects
  }
  return status.ok() ? 0 : 1;
}
