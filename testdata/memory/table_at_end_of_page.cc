#include "testdata/memory/table_at_end_of_page.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "testdata/plugin_memory.h"

namespace memory_plugin {
namespace {

constexpr int kNoCode = 0xdd;

char* g_pages = nullptr;  // the table's page, and the next

size_t PageBytes() { return sysconf(_SC_PAGESIZE); }

}  // namespace

TF_FilesystemOps* TableAtEndOfPage(const TF_FilesystemOps& ops, size_t bytes) {
  void* pages = mmap(nullptr, 2 * PageBytes(), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  g_pages = static_cast<char*>(pages);
  if (mprotect(g_pages + PageBytes(), PageBytes(), PROT_NONE) != 0) {
    return nullptr;
  }
  char* table = g_pages + PageBytes() - bytes;
  std::memset(table, kNoCode, bytes);
  std::memcpy(table, &ops, std::min(bytes, sizeof(ops)));
  return reinterpret_cast<TF_FilesystemOps*>(table);
}

void FreeAlsoTable(void* memory) {
  char* block = static_cast<char*>(memory);
  if (g_pages == nullptr || block < g_pages || block >= g_pages + PageBytes()) {
    return plugin_memory::Free(memory);
  }
  munmap(g_pages, 2 * PageBytes());
  g_pages = nullptr;
}

}  // namespace memory_plugin
