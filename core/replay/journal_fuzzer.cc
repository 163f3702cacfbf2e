// Feeds untrusted journals to the reader, and calls what they answer: no bytes
// make it crash, hang or read outside them.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fsload/replay.h"

namespace {

// All questions about one path, whose answers may be anything.
void AskAbout(const fsload::FileSystem& files, const std::string& path) {
  static_cast<void>(files.FileExists(path));
  static_cast<void>(files.FilesExist({{path, path}}));
  static_cast<void>(files.Stat(path));
  static_cast<void>(files.IsDirectory(path));
  static_cast<void>(files.GetFileSize(path));
  static_cast<void>(files.GetChildren(path));
  static_cast<void>(files.TranslateName(path));
  static_cast<void>(files.DeleteRecursively(path));
  static_cast<void>(files.GetFilesystemConfigurationKeys());
  static_cast<void>(files.GetFilesystemConfiguration());
  static_cast<void>(files.GetTokenOrStartTransaction(path));
  if (const auto in = files.NewRandomAccessFile(path); in.ok()) {
    char buffer[8];
    static_cast<void>((*in)->Read(0, sizeof(buffer), buffer));
  }
  if (const auto out = files.NewWritableFile(path); out.ok()) {
    static_cast<void>((*out)->Append("hello"));
    static_cast<void>((*out)->Tell());
  }
  if (const auto region = files.NewReadOnlyMemoryRegionFromFile(path);
      region.ok()) {
    const auto* const data = static_cast<const char*>((*region)->data());
    static_cast<void>(std::string(data, (*region)->length()));
  }
}

}  // namespace

// Called by libFuzzer, and by damaged_journal_test.cc.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto journal = fsload::Journal::Parse(text, "journal");
  if (!journal.ok()) return 0;
  const auto file_systems = journal->Replay();
  if (!file_systems.ok()) return 0;
  for (const fsload::FileSystemPtr& each : *file_systems) AskAbout(*each, "/f");
  return 0;
}
