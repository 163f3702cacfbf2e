// embedding PLUGIN DIRECTORY, as in: embedding posix.so posix:///tmp
#include <iostream>

#include "fsload/by_uri.h"
#include "fsload/plugin_loader.h"

absl::Status Greet(const std::string& directory) {
  auto out = fsload::NewWritableFile(directory + "/greeting");
  if (!out.ok()) return out.status();
  absl::Status status = (*out)->Append("hello\n");
  status.Update((*out)->Close());

  auto names = fsload::GetChildren(directory);
  auto in = fsload::NewRandomAccessFile(directory + "/greeting");
  status.Update(names.status());
  status.Update(in.status());
  if (!status.ok()) return status;
  for (const std::string& name : *names) std::cout << name << "\n";

  char text[80];
  auto bytes = (*in)->Read(0, sizeof(text), text);  // fewer: the end of file
  if (bytes.ok()) std::cout << std::string_view(text, *bytes);
  return bytes.status();
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  absl::Status status = fsload::LoadPlugin(argv[1]).status;
  if (status.ok()) status = Greet(argv[2]);
  status.Update(fsload::SchemeRegistry::Default().RetireAll());  // runs cleanup
  if (!status.ok()) std::cerr << status.ToString() << "\n";
  return status.ok() ? 0 : 1;
}
