// Feeds requests that a host would never make to a worker with the memory
// plugin: none makes it crash, hang or read outside them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/isolation/load_request.h"
#include "loader/worker/served_call.h"

namespace fsload {
namespace {

WorkerObjects& Objects() {
  static auto* const objects = [] {
    auto* const made = new WorkerObjects;
    static auto* const registry = new SchemeRegistry;
    LoadOptions options;
    options.registry = registry;
    options.allow_damaging_operations = true;
    const LoadReport report = LoadPlugin("testdata/memory.so", options);
    if (!report.status.ok()) std::abort();
    const MutexLock lock(made->mutex);
    made->file_systems.push_back(*registry->Find("memory"));
    return made;
  }();
  return *objects;
}

}  // namespace
}  // namespace fsload

// Called by libFuzzer, and by served_call_test.cc. The first bytes are the
// operation and numbers, of which only small ones mean something; the rest is
// the fields.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kNumbers = 6;
  if (size < kNumbers) return 0;
  const std::string fields(reinterpret_cast<const char*>(data) + kNumbers,
                           size - kNumbers);
  static_cast<void>(fsload::LoadRequestFrom(fields));
  static_cast<void>(fsload::LoadAnswerFrom(fields));
  std::vector<char> contents(data[4]);
  fsload::SlotRequest request = {};
  request.op = data[0];
  request.scheme = data[1];
  // The cleanup of the only scheme would be the end of all.
  if (request.op == static_cast<uint32_t>(fsload::Op::kFilesystem_cleanup)) {
    request.scheme += 1;
  }
  request.file = data[2];
  request.offset = data[3];
  request.contents = contents.size();
  request.fields = fields.size();
  fsload::ServedCall call = {request,
                             {contents.data(), contents.size()},
                             fsload::FieldReader(fields),
                             fsload::Objects()};
  call.before = static_cast<TF_Code>(data[5]);
  fsload::Serve(call);
  return 0;
}
