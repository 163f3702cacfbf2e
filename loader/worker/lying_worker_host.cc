#include "loader/worker/lying_worker_host.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "fsload/configuration.h"
#include "loader/worker/given_lies.h"
#include "third_party/fmt/format.h"

namespace fsload {

LoadOptions OptionsFor(const std::string& lie, SchemeRegistry& registry,
                       absl::Duration call_timeout) {
  LoadOptions options;
  options.registry = &registry;
  options.isolation.emplace();
  options.isolation->worker = "loader/worker/lying_worker";
  options.isolation->environment["FSLOAD_TEST_LIE"] = lie;
  options.isolation->call_timeout = call_timeout;
  return options;
}

absl::Status CallAll(const FileSystem& file_system) {
  const std::string uri = "lie://f";
  absl::Status first = file_system.Stat(uri).status();
  file_system.GetChildren(uri).status().IgnoreError();
  char buffer[8];
  if (const auto file = file_system.NewRandomAccessFile(uri); file.ok()) {
    (*file)->Read(1, sizeof(buffer), buffer).status().IgnoreError();
  }
  if (const auto region = file_system.NewReadOnlyMemoryRegionFromFile(uri);
      region.ok() && (*region)->length() != 0) {
    // The last byte, too, must be there.
    const auto* const data =
        static_cast<const volatile char*>((*region)->data());
    static_cast<void>(data[0]);
    static_cast<void>(data[(*region)->length() - 1]);
  }
  // The worker answers these with too few fields, which ends it.
  if (const auto file = file_system.NewWritableFile(uri); file.ok()) {
    (*file)->Append("a").IgnoreError();
    (*file)->Tell().status().IgnoreError();
  }
  static_cast<void>(file_system.FilesExist({{uri, uri}}));
  file_system.DeleteRecursively(uri).IgnoreError();
  file_system.GetMatchingPaths("lie://*").status().IgnoreError();
  file_system.GetFilesystemConfiguration().status().IgnoreError();
  file_system.GetFilesystemConfigurationOption("o").status().IgnoreError();
  file_system.GetFilesystemConfigurationKeys().status().IgnoreError();
  const ConfigurationOption option = {"o", "", false, std::vector<int64_t>{1}};
  file_system.SetFilesystemConfigurationOption(option).IgnoreError();
  file_system.StartTransaction().status().IgnoreError();
  file_system.GetTransactionForPath(uri).status().IgnoreError();
  return first;
}

namespace {

// A scheme of a worker, until its worker has ended.
struct Host {
  explicit Host(const std::string& lies) {
    LoadOptions options = OptionsFor(Format("{}{}", kGivenLies, lies), registry,
                                     absl::Minutes(1));
    options.isolation->restarts = 0;
    if (!LoadPlugin("any.so", options).status.ok()) std::abort();
    file_system = *registry.Find("lie");
  }

  SchemeRegistry registry;
  FileSystemPtr file_system;
};

}  // namespace

absl::Status CallAllWith(std::string_view bytes) {
  static const int file = memfd_create("lies", MFD_CLOEXEC);
  static GivenLies* const lies = GivenLies::Map(file);
  static std::unique_ptr<Host> host;
  if (lies == nullptr) std::abort();
  lies->Set({});
  if (host == nullptr || !host->file_system->Stat("lie://f").ok()) {
    host = nullptr;
    host = std::make_unique<Host>(Format("/proc/{}/fd/{}", getpid(), file));
  }
  lies->Set(bytes);
  return CallAll(*host->file_system);
}

}  // namespace fsload
