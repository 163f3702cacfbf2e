// A filesystem plugin for tests of how it is linked, not of what it does; the
// build selects its scheme, SCHEME, and what it needs. path_exists answers
// NOT_FOUND "nothing here", create_dir TF_CANCELLED without a message.
//
// Each call of TF_InitPlugin, init and cleanup appends a line ("init counting")
// to the file that the environment variable FSLOAD_TEST_LOG names.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "fsload/filesystem_interface.h"

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

#ifdef CALLS_NEIGHBOUR
extern "C" int FsloadTestNeighbour();
#endif
#ifdef CALLS_UNDEFINED
extern "C" void FsloadTestUndefined();
#endif
#ifdef CALLS_FUTURE
extern "C" int FsloadTestFuture();
#endif
#ifdef CALLS_HOST
extern "C" int TF_FsloadTestUndefined();
#endif
#ifdef CALLS_TENSORFLOW
namespace tsl {
int FsloadTestUndefined(const char* text, int number);
}
#endif
#ifdef TEXT_RELOCATION
// R: an optimized link keeps what nobody refers to.
asm(".pushsection .text.relocated, \"axR\", @progbits; .balign 8; .quad strdup;"
    ".popsection");
#endif

namespace {

constexpr const char* kScheme = TEXT(SCHEME);

#ifdef STATIC_TLS
__attribute__((
    tls_model("initial-exec"))) thread_local volatile int static_counter;
#endif

#ifdef HALF_RIGHT
constexpr int kSchemes = 2;  // the second without tables
#else
constexpr int kSchemes = 1;
#endif

void* Allocate(size_t size) { return std::calloc(1, size); }
void Free(void* memory) { std::free(memory); }

void AppendToLog(const std::string& line) {
  const char* path = std::getenv("FSLOAD_TEST_LOG");
  if (path == nullptr) return;
  const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return;
  const std::string whole = line + " " + kScheme + "\n";
  const ssize_t written = write(fd, whole.data(), whole.size());
  static_cast<void>(written);
  close(fd);
}

#if defined(OPENS_AT_START) || defined(OPENS_IN_ENTRY) || \
    defined(OPENS_IN_INIT) || defined(OPENS_IN_CLEANUP)
void OpenLibrary() { dlopen(std::getenv("FSLOAD_TEST_LIBRARY"), RTLD_NOW); }
#endif
#ifdef OPENS_AT_START
[[gnu::constructor]] void Start() { OpenLibrary(); }
#endif

void Init(TF_Filesystem*, TF_Status* status) {
  AppendToLog("init");
#ifdef OPENS_IN_INIT
  OpenLibrary();
#endif
#ifdef CALLS_NEIGHBOUR
  if (FsloadTestNeighbour() != 42) {
    return TF_SetStatus(status, TF_INTERNAL, "another neighbour");
  }
#endif
#ifdef CALLS_UNDEFINED
  FsloadTestUndefined();
#endif
#ifdef CALLS_FUTURE
  FsloadTestFuture();
#endif
#ifdef CALLS_HOST
  TF_FsloadTestUndefined();
#endif
#ifdef CALLS_TENSORFLOW
  tsl::FsloadTestUndefined("", 0);
#endif
#ifdef STATIC_TLS
  ++static_counter;
#endif
  TF_SetStatus(status, TF_OK, "");
}

void Cleanup(TF_Filesystem*) {
  AppendToLog("cleanup");
#ifdef OPENS_IN_CLEANUP
  OpenLibrary();
#endif
}

void PathExists(const TF_Filesystem*, const char*, TF_Status* status) {
#ifdef USES_WHOLE_STATUS
  TF_Status* own = TF_NewStatus();
  TF_SetStatus(own, TF_NOT_FOUND, "nothing here");
  TF_SetStatus(status, TF_GetCode(own), TF_Message(own));
  TF_DeleteStatus(own);
#else
  TF_SetStatus(status, TF_NOT_FOUND, "nothing here");
#endif
}

void CreateDir(const TF_Filesystem*, const char*, TF_Status* status) {
  TF_SetStatus(status, TF_CANCELLED, "");
}

}  // namespace

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  AppendToLog("TF_InitPlugin");
#ifdef OPENS_IN_ENTRY
  OpenLibrary();
#endif
  plugin_info->plugin_memory_allocate = Allocate;
  plugin_info->plugin_memory_free = Free;
  plugin_info->num_schemes = kSchemes;
  auto* ops = static_cast<TF_FilesystemPluginOps*>(
      Allocate(kSchemes * sizeof(TF_FilesystemPluginOps)));
  plugin_info->ops = ops;
  TF_SetFilesystemVersionMetadata(ops);
  ops->scheme = strdup(kScheme);
  ops->filesystem_ops =
      static_cast<TF_FilesystemOps*>(Allocate(sizeof(TF_FilesystemOps)));
  ops->filesystem_ops->init = Init;
  ops->filesystem_ops->cleanup = Cleanup;
  ops->filesystem_ops->path_exists = PathExists;
  ops->filesystem_ops->create_dir = CreateDir;
  if (kSchemes == 2) ops[1].scheme = strdup("second");
}
