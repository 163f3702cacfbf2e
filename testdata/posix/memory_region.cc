#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>

#include "testdata/posix/descriptor.h"
#include "testdata/posix/ops.h"
#include "testdata/posix/path_error.h"

namespace posix_plugin {
namespace {

struct Region {
  void* data;
  size_t length;
};

void Cleanup(TF_ReadOnlyMemoryRegion* region) {
  auto* self = static_cast<Region*>(region->plugin_memory_region);
  munmap(self->data, self->length);
  delete self;
}

const void* Data(const TF_ReadOnlyMemoryRegion* region) {
  return static_cast<const Region*>(region->plugin_memory_region)->data;
}

uint64_t Length(const TF_ReadOnlyMemoryRegion* region) {
  return static_cast<const Region*>(region->plugin_memory_region)->length;
}

}  // namespace

const TF_ReadOnlyMemoryRegionOps kReadOnlyMemoryRegionOps = {Cleanup, Data,
                                                             Length};

void NewReadOnlyMemoryRegionFromFile(const TF_Filesystem*, const char* path,
                                     TF_ReadOnlyMemoryRegion* region,
                                     TF_Status* status) {
  const Descriptor fd(OpenWithoutWaiting(path, O_RDONLY));
  if (fd.get() < 0) return SetPathStatus(errno, path, status);
  struct stat info;
  const int error = DescribeFile(fd.get(), &info);
  if (error != 0) return SetPathStatus(error, path, status);
  if (!S_ISREG(info.st_mode)) return SetPathStatus(EINVAL, path, status);
  if (info.st_size == 0) {
    // L410: nothing to map.
    return TF_SetStatus(status, TF_INVALID_ARGUMENT, "the file is empty");
  }
  const size_t length = info.st_size;
  // The mapping outlives the descriptor.
  void* data = mmap(nullptr, length, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (data == MAP_FAILED) {
    return TF_SetStatusFromIOError(status, errno, path);
  }
  region->plugin_memory_region = new Region{data, length};
  TF_SetStatus(status, TF_OK, "");
}

}  // namespace posix_plugin
