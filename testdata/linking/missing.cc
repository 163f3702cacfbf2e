// A filesystem plugin that imports what nobody provides. The build selects
// where it calls that, PLACE, or how else it uses it, and the names of its two
// schemes, SCHEME and SCHEME.other.
//
// path_exists answers NOT_FOUND "nothing here", create_dir TF_CANCELLED
// "not today". When unwound or returning, a function that reaches PLACE appends
// "unwound" to the file that the environment variable FSLOAD_TEST_LOG names.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <thread>

#include "fsload/filesystem_interface.h"

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

// Never defined.
namespace tsl {
std::string FsloadTestMissing(const std::string& text, double number);
#ifdef READS_DATA
extern int fsload_test_missing;
#endif
#ifdef STORES_ADDRESS
void FsloadTestStored();
void (*const volatile kept)() = &FsloadTestStored;
#endif
}  // namespace tsl

#ifdef MANY
#define TEN(ROW, n) \
  ROW(n##0)         \
  ROW(n##1)         \
  ROW(n##2)         \
  ROW(n##3) ROW(n##4) ROW(n##5) ROW(n##6) ROW(n##7) ROW(n##8) ROW(n##9)
#define HUNDRED(ROW, n) \
  TEN(ROW, n##0)        \
  TEN(ROW, n##1)        \
  TEN(ROW, n##2)        \
  TEN(ROW, n##3)        \
  TEN(ROW, n##4)        \
  TEN(ROW, n##5) TEN(ROW, n##6) TEN(ROW, n##7) TEN(ROW, n##8) TEN(ROW, n##9)
#define THOUSAND(ROW) \
  HUNDRED(ROW, 0)     \
  HUNDRED(ROW, 1)     \
  HUNDRED(ROW, 2)     \
  HUNDRED(ROW, 3)     \
  HUNDRED(ROW, 4)     \
  HUNDRED(ROW, 5)     \
  HUNDRED(ROW, 6) HUNDRED(ROW, 7) HUNDRED(ROW, 8) HUNDRED(ROW, 9)
#define DECLARE(n) extern "C" void FsloadTestMissing##n();
THOUSAND(DECLARE)
#endif

namespace {

enum class Place {
  kNowhere,
  kStatic,
  kEntry,
  kInit,
  kOp,
  kCaughtOp,
  kNoexceptOp,
  kName,
  kThread,
};
constexpr Place kPlace = Place::PLACE;

void AppendToLog(const std::string& line) {
  const char* path = std::getenv("FSLOAD_TEST_LOG");
  if (path == nullptr) return;
  const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return;
  const ssize_t written = write(fd, (line + "\n").data(), line.size() + 1);
  static_cast<void>(written);
  close(fd);
}

struct Unwinding {
  ~Unwinding() { AppendToLog("unwound"); }
};

// Calls what is missing if `place` is the selected one.
void ComeTo(Place place) {
  if (place != kPlace) return;
  const Unwinding unwinding;
  AppendToLog(tsl::FsloadTestMissing("text", 0.5));
}

const bool kInitialized = [] {
  ComeTo(Place::kStatic);
  return true;
}();

void* Allocate(size_t size) { return std::calloc(1, size); }
void Free(void* memory) { std::free(memory); }

void Init(TF_Filesystem*, TF_Status* status) {
  ComeTo(Place::kInit);
#ifdef UNIMPLEMENTED_INIT
  return TF_SetStatus(status, TF_UNIMPLEMENTED, "not on this system");
#endif
  TF_SetStatus(status, TF_OK, "");
}

// Its filesystem has state, which distinguishes it from the first.
char other_state;

void InitOther(TF_Filesystem* filesystem, TF_Status* status) {
  filesystem->plugin_filesystem = &other_state;
  TF_SetStatus(status, TF_OK, "");
}

void Cleanup(TF_Filesystem*) {}

void ComeThereWithoutExceptions() noexcept { ComeTo(Place::kNoexceptOp); }

void PathExists(const TF_Filesystem* filesystem,
                [[maybe_unused]] const char* path, TF_Status* status) {
#ifdef READS_DATA
  AppendToLog(std::to_string(tsl::fsload_test_missing));
#endif
#ifdef STORES_ADDRESS
  tsl::kept();
#endif
#ifdef MANY
#define CALL(n) \
  if (std::strstr(path, "/" #n) != nullptr) FsloadTestMissing##n();
  THOUSAND(CALL)
#endif
  if (filesystem->plugin_filesystem != &other_state) {
    ComeTo(Place::kOp);
    ComeThereWithoutExceptions();
    if (kPlace == Place::kThread) {
      std::thread([] { ComeTo(Place::kThread); }).join();
    }
    try {
      ComeTo(Place::kCaughtOp);
    } catch (const std::exception& exception) {
      return TF_SetStatus(status, TF_ABORTED, exception.what());
    }
  }
  TF_SetStatus(status, TF_NOT_FOUND, "nothing here");
}

void CreateDir(const TF_Filesystem*, const char*, TF_Status* status) {
  TF_SetStatus(status, TF_CANCELLED, "not today");
}

char* TranslateName(const TF_Filesystem*, const char* uri) {
  ComeTo(Place::kName);
  return strdup(uri);
}

void FillIn(const char* scheme, void (*init)(TF_Filesystem*, TF_Status*),
            TF_FilesystemPluginOps& ops) {
  TF_SetFilesystemVersionMetadata(&ops);
  ops.scheme = strdup(scheme);
  ops.filesystem_ops =
      static_cast<TF_FilesystemOps*>(Allocate(sizeof(TF_FilesystemOps)));
  ops.filesystem_ops->init = init;
  ops.filesystem_ops->cleanup = Cleanup;
  ops.filesystem_ops->path_exists = PathExists;
  ops.filesystem_ops->create_dir = CreateDir;
  if (kPlace == Place::kName) {
    ops.filesystem_ops->translate_name = TranslateName;
  }
}

}  // namespace

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  ComeTo(Place::kEntry);
  plugin_info->plugin_memory_allocate = Allocate;
  plugin_info->plugin_memory_free = Free;
  plugin_info->num_schemes = 2;
  plugin_info->ops = static_cast<TF_FilesystemPluginOps*>(
      Allocate(2 * sizeof(TF_FilesystemPluginOps)));
  FillIn(TEXT(SCHEME) ".other", InitOther, plugin_info->ops[0]);
  FillIn(TEXT(SCHEME), Init, plugin_info->ops[1]);
}
