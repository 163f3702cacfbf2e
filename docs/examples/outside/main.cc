// greet DIRECTORY: writes a file there, and reads it back. fsload finds the
// plugin for its scheme: s3://bucket/folder, or posix:///tmp on a local disk.
#include <iostream>
#include <string>

#include "fsload/find_or_load.h"
#include "fsload/scheme_registry.h"
#include "fsload/version.h"
#include "fsload/whole_file.h"

absl::Status Greet(const std::string& directory) {
  fsload::LoadOptions options;
  // The plugins of tensorflow-io call functions that only TensorFlow has.
  options.stub_missing_functions = true;
  auto files = fsload::FindOrLoad(directory, options);
  if (!files.ok()) return files.status();
  const std::string uri = directory + "/greeting";
  absl::Status written = fsload::WriteFileAtomically(**files, uri, "hello\n");
  if (!written.ok()) return written;
  auto text = fsload::ReadWholeFile(**files, uri);
  if (text.ok()) std::cout << "fsload " << fsload::kVersion << ": " << *text;
  return text.status();
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  absl::Status status = Greet(argv[1]);
  status.Update(fsload::SchemeRegistry::Default().RetireAll());  // runs cleanup
  if (!status.ok()) std::cerr << status.ToString() << "\n";
  return status.ok() ? 0 : 1;
}
