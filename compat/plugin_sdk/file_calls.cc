// Calls of the operations on open files.
#include <cstdint>
#include <cstring>
#include <memory>

#include "compat/plugin_sdk/outcome.h"

namespace fsload::plugin {
namespace {

struct OpenReader {
  explicit OpenReader(AllHosts& host) : host(host) {
    host.ops().new_random_access_file(&host.filesystem, kPath, &file,
                                      host.status.get());
  }
  ~OpenReader() { host.entry().random_access_file_ops->cleanup(&file); }
  AllHosts& host;
  TF_RandomAccessFile file = {};
};

struct OpenWriter {
  explicit OpenWriter(AllHosts& host) : host(host) {
    host.ops().new_writable_file(&host.filesystem, kPath, &file,
                                 host.status.get());
  }
  ~OpenWriter() { host.entry().writable_file_ops->cleanup(&file); }
  const TF_WritableFileOps& ops() { return *host.entry().writable_file_ops; }
  AllHosts& host;
  TF_WritableFile file = {};
};

struct OpenRegion {
  explicit OpenRegion(AllHosts& host) : host(host) {
    host.ops().new_read_only_memory_region_from_file(
        &host.filesystem, kPath, &region, host.status.get());
  }
  ~OpenRegion() { host.entry().read_only_memory_region_ops->cleanup(&region); }
  const TF_ReadOnlyMemoryRegionOps& ops() {
    return *host.entry().read_only_memory_region_ops;
  }
  AllHosts& host;
  TF_ReadOnlyMemoryRegion region = {};
};

Outcome Read(AllHosts& host, const CallWrapper& around) {
  OpenReader open(host);
  char buffer[4] = {};
  int64_t got = 0;
  around([&] {
    got = host.entry().random_access_file_ops->read(&open.file, 1, 4, buffer,
                                                    host.status.get());
  });
  return OutcomeOf(got == 4 && std::memcmp(buffer, "xxxx", 4) == 0, got == -1);
}

Outcome Append(AllHosts& host, const CallWrapper& around) {
  OpenWriter open(host);
  around([&] { open.ops().append(&open.file, "abc", 3, host.status.get()); });
  return ByStatus(host);
}

Outcome Tell(AllHosts& host, const CallWrapper& around) {
  OpenWriter open(host);
  int64_t position = 0;
  around([&] { position = open.ops().tell(&open.file, host.status.get()); });
  return OutcomeOf(position == 7, position == -1);
}

template <auto kSlot>
Outcome OnWriter(AllHosts& host, const CallWrapper& around) {
  OpenWriter open(host);
  around([&] { (open.ops().*kSlot)(&open.file, host.status.get()); });
  return ByStatus(host);
}

Outcome Data(AllHosts& host, const CallWrapper& around) {
  OpenRegion open(host);
  const void* data = "";
  around([&] { data = open.ops().data(&open.region); });
  if (data == nullptr) return Outcome::kFailed;
  return OutcomeOf(std::memcmp(data, "mapped", 6) == 0, false);
}

Outcome Length(AllHosts& host, const CallWrapper& around) {
  OpenRegion open(host);
  uint64_t length = 1;
  around([&] { length = open.ops().length(&open.region); });
  return OutcomeOf(length == 6, length == 0);
}

template <typename Open>
Outcome CleanUp(AllHosts& host, const CallWrapper& around) {
  auto open = std::make_unique<Open>(host);
  around([&] { open.reset(); });
  return Outcome::kDone;
}

using Writer = TF_WritableFileOps;

}  // namespace

std::vector<OperationCall> FileCalls() {
  return {
      {"random_access_file.cleanup", false, CleanUp<OpenReader>},
      {"random_access_file.read", true, Read},
      {"writable_file.cleanup", false, CleanUp<OpenWriter>},
      {"writable_file.append", true, Append},
      {"writable_file.tell", true, Tell},
      {"writable_file.flush", true, OnWriter<&Writer::flush>},
      {"writable_file.sync", true, OnWriter<&Writer::sync>},
      {"writable_file.close", true, OnWriter<&Writer::close>},
      {"memory_region.cleanup", false, CleanUp<OpenRegion>},
      {"memory_region.data", false, Data},
      {"memory_region.length", false, Length},
  };
}

}  // namespace fsload::plugin
