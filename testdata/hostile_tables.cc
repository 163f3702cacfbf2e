// A filesystem plugin that attacks the host's read-only copy of its tables,
// scheme `hostile`. create_dir("hostile://x/NAME") runs the attack NAME of
// kAttacks: OK if it succeeded, FAILED_PRECONDITION with the attack's name and
// the system's reason if it was refused. A forged table replaces path_exists,
// which then answers DATA_LOSS.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "fsload/filesystem_interface.h"
#include "testdata/plugin_memory.h"

namespace {

// One line of /proc/self/maps.
struct Mapping {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  std::string rights;  // "r--s"
  dev_t device = 0;
  ino_t inode = 0;

  void* address() const { return reinterpret_cast<void*>(begin); }
  size_t bytes() const { return end - begin; }
};

// The host's copy of the table of filesystem operations.
struct TableCopy {
  Mapping mapping;
  TF_FilesystemOps* table = nullptr;  // null: not found
};

void Init(TF_Filesystem*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

void Cleanup(TF_Filesystem*) {}

void PathExists(const TF_Filesystem*, const char*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

// The path_exists of a forged table.
void ForgedPathExists(const TF_Filesystem*, const char*, TF_Status* status) {
  TF_SetStatus(status, TF_DATA_LOSS, "the table was forged");
}

std::vector<Mapping> Mappings() {
  std::vector<Mapping> mappings;
  FILE* maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return mappings;
  char line[4096 + 128];
  while (std::fgets(line, sizeof(line), maps) != nullptr) {
    Mapping mapping;
    char rights[5] = "";
    unsigned major_number = 0;
    unsigned minor_number = 0;
    uint64_t inode = 0;
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*x %x:%x %" SCNu64,
                    &mapping.begin, &mapping.end, rights, &major_number,
                    &minor_number, &inode) != 6) {
      continue;
    }
    mapping.rights = rights;
    mapping.device = makedev(major_number, minor_number);
    mapping.inode = inode;
    mappings.push_back(mapping);
  }
  std::fclose(maps);
  return mappings;
}

// The address in `mapping` of the first two operations side by side, outside
// any shared object; 0 if not found. Never faults.
uintptr_t FindOps(const Mapping& mapping) {
  struct {
    decltype(TF_FilesystemOps::init) init = Init;
    decltype(TF_FilesystemOps::cleanup) cleanup = Cleanup;
  } const wanted;
  std::vector<char> page(sysconf(_SC_PAGESIZE));
  for (uintptr_t at = mapping.begin; at < mapping.end; at += page.size()) {
    const iovec local = {page.data(), page.size()};
    const iovec remote = {reinterpret_cast<void*>(at), page.size()};
    const ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    if (got < static_cast<ssize_t>(page.size())) continue;
    for (size_t i = 0; i + sizeof(wanted) <= page.size(); i += 8) {
      if (std::memcmp(&page[i], &wanted, sizeof(wanted)) != 0) continue;
      Dl_info object;
      if (dladdr(reinterpret_cast<void*>(at + i), &object) == 0) return at + i;
    }
  }
  return 0;
}

TableCopy FindTableCopy() {
  constexpr size_t kMaxBytes = size_t{1} << 28;  // larger: not the copy
  for (const Mapping& mapping : Mappings()) {
    const bool is_read_only = mapping.rights.substr(0, 2) == "r-";
    if (!is_read_only || mapping.bytes() > kMaxBytes) continue;
    const uintptr_t found = FindOps(mapping);
    if (found != 0) {
      return {mapping, reinterpret_cast<TF_FilesystemOps*>(found)};
    }
  }
  return {};
}

// A read-write descriptor of the file that backs `mapping`; -1 and errno if it
// cannot be opened.
int Reopen(const Mapping& mapping) {
  char name[64];
  std::snprintf(name, sizeof(name),
                "/proc/self/map_files/%" PRIxPTR "-%" PRIxPTR, mapping.begin,
                mapping.end);
  int fd = open(name, O_RDWR | O_CLOEXEC);
  DIR* descriptors = opendir("/proc/self/fd");
  if (descriptors == nullptr) return fd;
  while (const dirent* entry = fd >= 0 ? nullptr : readdir(descriptors)) {
    const std::string path = std::string("/proc/self/fd/") + entry->d_name;
    struct stat info;
    if (stat(path.c_str(), &info) == 0 && info.st_ino == mapping.inode &&
        info.st_dev == mapping.device) {
      fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
    }
  }
  const int error = errno;
  closedir(descriptors);
  errno = error;
  return fd;
}

// For a system call that returns -1 on failure: 0 or an errno value.
int ErrorOf(int64_t result) { return result < 0 ? errno : 0; }

int ErrorOf(void* result) { return result == MAP_FAILED ? errno : 0; }

// --- The attacks: 0 or an errno value ---

int Write(const TableCopy& copy) {
  // Volatile, so that the compiler keeps the write.
  *const_cast<decltype(TF_FilesystemOps::path_exists) volatile*>(
      &copy.table->path_exists) = ForgedPathExists;
  return 0;
}

int Mprotect(const TableCopy& copy) {
  const Mapping& mapping = copy.mapping;
  const int error = ErrorOf(
      mprotect(mapping.address(), mapping.bytes(), PROT_READ | PROT_WRITE));
  return error != 0 ? error : Write(copy);
}

int Mremap(const TableCopy& copy) {
  const Mapping& mapping = copy.mapping;
  void* elsewhere = mmap(nullptr, mapping.bytes(), PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (elsewhere == MAP_FAILED) return errno;
  return ErrorOf(mremap(mapping.address(), mapping.bytes(), mapping.bytes(),
                        MREMAP_MAYMOVE | MREMAP_FIXED, elsewhere));
}

int Munmap(const TableCopy& copy) {
  return ErrorOf(munmap(copy.mapping.address(), copy.mapping.bytes()));
}

int MapFixed(const TableCopy& copy) {
  return ErrorOf(mmap(copy.mapping.address(), copy.mapping.bytes(),
                      PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
}

int Madvise(const TableCopy& copy) {
  return ErrorOf(
      madvise(copy.mapping.address(), copy.mapping.bytes(), MADV_DONTNEED));
}

int MadviseRemove(const TableCopy& copy) {
  return ErrorOf(
      madvise(copy.mapping.address(), copy.mapping.bytes(), MADV_REMOVE));
}

int Ftruncate(const TableCopy& copy) {
  const int fd = Reopen(copy.mapping);
  if (fd < 0) return errno;
  const int error = ErrorOf(ftruncate(fd, 0));
  close(fd);
  return error;
}

int Fallocate(const TableCopy& copy) {
  const int fd = Reopen(copy.mapping);
  if (fd < 0) return errno;
  const int error = ErrorOf(fallocate(
      fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, copy.mapping.bytes()));
  close(fd);
  return error;
}

int ProcMem(const TableCopy& copy) {
  const int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (fd < 0) return errno;
  const auto forged = ForgedPathExists;
  const int error =
      ErrorOf(pwrite(fd, &forged, sizeof(forged),
                     reinterpret_cast<off_t>(&copy.table->path_exists)));
  close(fd);
  return error;
}

struct Attack {
  std::string_view name;
  int (*run)(const TableCopy& copy);
};

constexpr Attack kAttacks[] = {
    {"write", Write},
    {"mprotect", Mprotect},
    {"mremap", Mremap},
    {"munmap", Munmap},
    {"map_fixed", MapFixed},
    {"madvise", Madvise},
    {"madvise_remove", MadviseRemove},
    {"ftruncate", Ftruncate},
    {"fallocate", Fallocate},
    {"proc_mem", ProcMem},
};

void CreateDir(const TF_Filesystem*, const char* path, TF_Status* status) {
  const std::string_view whole = path;
  const std::string name(whole.substr(whole.rfind('/') + 1));
  for (const Attack& attack : kAttacks) {
    if (attack.name != name) continue;
    const TableCopy copy = FindTableCopy();
    if (copy.table == nullptr) {
      return TF_SetStatus(status, TF_NOT_FOUND, "found no copy of the tables");
    }
    const int error = attack.run(copy);
    if (error == 0) return TF_SetStatus(status, TF_OK, "");
    const std::string message = name + ": " + std::strerror(error);
    return TF_SetStatus(status, TF_FAILED_PRECONDITION, message.c_str());
  }
  TF_SetStatus(status, TF_INVALID_ARGUMENT, "no such attack");
}

}  // namespace

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  plugin_info->plugin_memory_allocate = plugin_memory::Allocate;
  plugin_info->plugin_memory_free = plugin_memory::Free;
  plugin_info->num_schemes = 1;
  plugin_info->ops = static_cast<TF_FilesystemPluginOps*>(
      plugin_memory::Allocate(sizeof(TF_FilesystemPluginOps)));
  TF_FilesystemPluginOps* ops = plugin_info->ops;
  TF_SetFilesystemVersionMetadata(ops);
  ops->scheme = plugin_memory::CopyString("hostile");
  TF_FilesystemOps table = {};
  table.init = Init;
  table.cleanup = Cleanup;
  table.create_dir = CreateDir;
  table.path_exists = PathExists;
  ops->filesystem_ops = plugin_memory::CopyTable(table);
}
