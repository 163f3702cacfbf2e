#include "loader/linking/guarded_calls.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <istream>

namespace fsload {
namespace {

// Whether `stream` is a temporary file of `bytes` bytes, of which a read has
// just found none because it stood at the end. Temporary files are opened to
// write and read: somebody who reads an ifstream block by block comes to its
// end in the same state.
bool IsWholeFileAtItsEnd(std::istream& stream, std::streamsize bytes) {
  if (stream.gcount() != 0 || bytes == 0 || stream.bad() || !stream.eof() ||
      dynamic_cast<std::fstream*>(&stream) == nullptr) {
    return false;
  }
  const std::ios::iostate state = stream.rdstate();
  stream.clear();
  const bool is_whole = stream.tellg() == std::streampos(bytes);
  stream.clear(state);
  return is_whole;
}

// std::istream::read, with the caller's arguments.
//
// The s3 plugin reads the body of every answer, even of one without a body:
// "the range begins at the end of the object".
//
// After a failed upload it reads the file again, to send it again, from where
// the first attempt ended: nothing, and the buffer that it then sends has the
// bytes of another file. Such a read begins at the start of the file. If that
// fails nothing can stop the plugin, which does not look at the stream.
std::istream* Read(std::istream* stream, char* buffer, std::streamsize bytes) {
  if (stream == nullptr) return nullptr;
  stream->read(buffer, bytes);
  if (!IsWholeFileAtItsEnd(*stream, bytes)) return stream;
  stream->clear();
  stream->seekg(0);
  return &stream->read(buffer, bytes);
}

struct GuardedCall {
  std::string_view plugin;  // KnownNameOf
  std::string_view symbol;
  const void* instead;
};

// Not constexpr, because a function's address is not a constant pointer to
// data.
const GuardedCall kGuardedCalls[] = {
    {"libtensorflow_io_plugins.so", "_ZNSi4readEPcl",
     reinterpret_cast<const void*>(&Read)},
};

// Whether the dynamic linker has made the memory at `address` of the file
// read-only after relocating it.
bool IsReadOnly(const ElfFile& file, uint64_t address, uint64_t page) {
  for (const Elf64_Phdr& segment : file.image().segments()) {
    if (segment.p_type != PT_GNU_RELRO) continue;
    const uint64_t end = (segment.p_vaddr + segment.p_memsz) / page * page;
    if (address >= segment.p_vaddr / page * page && address < end) return true;
  }
  return false;
}

bool Write(const ElfFile& file, const link_map& map, uint64_t address,
           const void* value) {
  const uint64_t page = sysconf(_SC_PAGESIZE);
  if (address % alignof(void*) != 0) {  // it may extend into another page
    errno = EFAULT;
    return false;
  }
  char* const place = reinterpret_cast<char*>(map.l_addr + address);
  char* const its_page = place - (map.l_addr + address) % page;
  const bool read_only = IsReadOnly(file, address, page);
  if (read_only && mprotect(its_page, page, PROT_READ | PROT_WRITE) != 0) {
    return false;
  }
  std::memcpy(place, &value, sizeof(value));
  return !read_only || mprotect(its_page, page, PROT_READ) == 0;
}

}  // namespace

bool GuardCalls(std::string_view name, const ElfFile& file, void* handle) {
  const link_map* map = nullptr;
  for (const GuardedCall& call : kGuardedCalls) {
    if (call.plugin != name) continue;
    if (map == nullptr && dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
      return false;
    }
    for (const ElfFile::Slot& slot : file.slots()) {
      if (slot.symbol == call.symbol &&
          !Write(file, *map, slot.address, call.instead)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace fsload
