// A filesystem plugin, scheme `hostile`, that misbehaves at one point of its
// lifetime. hostile_variant.cc selects what it does and where.
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "fsload/env.h"
#include "fsload/filesystem_interface.h"
#include "testdata/hostile_attacks.h"
#include "testdata/plugin_memory.h"

namespace hostile {

extern const char kDeed[];
extern const char kPoint[];

volatile int g_depth = 0;
char* volatile g_block = nullptr;

[[gnu::noinline]] void Crash() {
  volatile uintptr_t address = 8;  // volatile hides it from the compiler
  *reinterpret_cast<volatile int*>(address) = 1;
}

[[gnu::noinline]] void Abort() { std::abort(); }

void Hang() {
  while (true) pause();
}

// Each level uses a page; the condition always holds, but keeps the compiler
// from proving infinite recursion.
int OverflowStack() {
  volatile char page[4096];
  page[0] = static_cast<char>(++g_depth);
  return g_depth > 0 ? OverflowStack() + page[0] : 0;
}

void OverflowThread() {
  pthread_t thread;
  if (pthread_create(
          &thread, nullptr,
          [](void*) -> void* {
            OverflowStack();
            return nullptr;
          },
          nullptr) == 0) {
    pthread_join(thread, nullptr);
  }
}

// The stack is not executable.
[[gnu::noinline]] void CallData() {
  volatile char data[16] = "";
  reinterpret_cast<void (*)()>(const_cast<char*>(data))();
}

// Beside code on arm64, whose instructions are at multiples of 4.
[[gnu::noinline]] void CallOddAddress() {
#ifdef __aarch64__
  const auto near = reinterpret_cast<uintptr_t>(&CallData);
#else
  volatile char data[16] = "";
  const auto near = reinterpret_cast<uintptr_t>(data);
#endif
  reinterpret_cast<void (*)()>(near + 1)();
}

void TakeDescriptors() {
  while (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0) {
  }
}

void CloseAll() {
  for (int fd = 0; fd < 1024; ++fd) close(fd);
}

// Address space suffices: touching the pages would only take time.
void EatMemory() {
  constexpr size_t kBlock = size_t{64} << 20;
  while (true) g_block = new char[kBlock];
}

void ForkAndHide() {
  const pid_t first = fork();
  if (first != 0) {
    waitpid(first, nullptr, 0);
    return;
  }
  setsid();
  const pid_t hidden = fork();
  if (hidden == 0) Hang();
  std::printf("hidden %d\n", hidden);
  std::fflush(stdout);
  _exit(0);
}

// In the same process group.
void StartAChild() {
  if (fork() == 0) Hang();
}

void HandleSignals() {
  std::signal(SIGSEGV, [](int) {});
  std::signal(SIGTERM, [](int) {});
}

void HideCrash() {
  std::signal(SIGSEGV, [](int) { _exit(0); });
  Crash();
}

void PrintMegabytes() {
  const std::string line(1023, 'x');
  for (int i = 0; i < 4096; ++i) std::puts(line.c_str());
}

void WriteOutside() {
  const char* const folder = std::getenv("FSLOAD_TEST_FOLDER");
  const std::string path = std::string(folder) + "/written";
  if (open(path.c_str(), O_WRONLY | O_CREAT, 0600) >= 0) std::abort();
  char* const temporary = TF_GetTempFileName(".txt");
  const int fd = open(temporary, O_WRONLY | O_CREAT, 0600);
  if (fd < 0) std::abort();
  close(fd);
  std::free(temporary);
}

void Execute() {
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/true", "true", nullptr);
    _exit(1);
  }
  if (child < 0) return;
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) std::abort();
}

void OpenSocket() {
  if (socket(AF_INET, SOCK_STREAM, 0) >= 0) std::abort();
}

// So that it can open nothing.
void LimitParent() {
  const rlimit none = {0, 0};
  if (prlimit(getppid(), RLIMIT_NOFILE, &none, nullptr) == 0) std::abort();
}

void KillParent() {
  if (kill(getppid(), SIGKILL) == 0) std::abort();
}

void BlockSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

// To another one, wherever the program is.
void ChangeDirectory() {
  char here[2] = "";
  const bool is_root = getcwd(here, sizeof(here)) != nullptr;
  if (chdir(is_root ? "/proc" : "/") != 0) std::abort();
}

// Flush-to-zero and denormals-are-zero.
void ChangeRounding() {
#ifdef __aarch64__
  uint64_t fpcr;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  asm volatile("msr fpcr, %0" : : "r"(fpcr | 1 << 24));
#elif defined(__x86_64__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#else
#error "this processor's way to have small numbers taken for zero"
#endif
}

// Only root may, and only if other groups exist.
void ChangeUser() {
  constexpr gid_t kOther = 65534;
  static_cast<void>(!setegid(kOther));
}

void CrashLater() {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    Crash();
  }).detach();
}

void StartThreads() {
  constexpr int kThreads = 600;
  std::mutex gate;
  gate.lock();
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back(
        [&gate] { const std::lock_guard<std::mutex> end(gate); });
  }
  gate.unlock();
  for (std::thread& thread : threads) thread.join();
}

struct Deed {
  std::string_view name;
  void (*run)();
};

constexpr Deed kDeeds[] = {
    {"aborts", &Abort},
    {"blocks_signals", &BlockSignals},
    {"changes_directory", &ChangeDirectory},
    {"changes_environment", [] { setenv("FSLOAD_TEST_SETTING", "1", 1); }},
    {"changes_rounding", &ChangeRounding},
    {"changes_umask", [] { umask(077); }},
    {"changes_user", &ChangeUser},
    {"calls_data", &CallData},
    {"calls_odd_address", &CallOddAddress},
    {"closes_descriptors", &CloseAll},
    {"crashes", &Crash},
    {"crowds_descriptors", &CrowdDescriptors},
    {"damages_report", &DamageReport},
    {"crashes_later", &CrashLater},
    {"eats_memory", &EatMemory},
    {"empties_messages", &EmptyMessages},
    {"executes", &Execute},
    {"exits", [] { std::exit(0); }},
    {"exits_77", [] { std::exit(77); }},
    {"forks", [] { static_cast<void>(fork()); }},
    {"forks_and_hangs", [] { ForkAndHide(), Hang(); }},
    {"forks_and_hides", &ForkAndHide},
    {"handles_signals", &HandleSignals},
    {"hangs", &Hang},
    {"hides_crash", &HideCrash},
    {"hides_in_a_chain", &HideInAChain},
    {"hides_umask", [] { TakeDescriptors(), umask(077); }},
    {"hoards_memory", &HoardMemory},
    {"kills_parent", &KillParent},
    {"limits_parent", &LimitParent},
    {"opens_socket", &OpenSocket},
    {"overflows_stack", [] { OverflowStack(); }},
    {"overflows_thread", &OverflowThread},
    {"overstates_messages", &OverstateMessages},
    {"prints_a_line", [] { std::puts("a \033[31mred\033[0m line"); }},
    {"prints_megabytes", &PrintMegabytes},
    {"pthread_exits", [] { pthread_exit(nullptr); }},
    {"quick_exits", [] { _exit(0); }},
    {"quick_exits_77", [] { _exit(77); }},
    {"replaces_terminate", [] { std::set_terminate(&Abort); }},
    {"starts_a_child", &StartAChild},
    {"starts_alarm", [] { alarm(1000); }},
    {"starts_threads", &StartThreads},
    {"takes_descriptors", &TakeDescriptors},
    {"throws", [] { throw 42; }},
    {"tries_many_calls", &TryManyCalls},
    {"writes_outside", &WriteOutside},
};

void At(std::string_view point) {
  if (point != kPoint) return;
  for (const Deed& deed : kDeeds) {
    if (deed.name == kDeed) deed.run();
  }
}

// Runs when the object is opened, and when the process exits.
struct Static {
  Static() { At("static"); }
  ~Static() { At("exit"); }
} g_static;

// .fini_array, which runs after all exit handlers.
[[gnu::destructor]] void Fini() { At("fini"); }

// L1074: frees what was handed over, once the host has copies.
void Free(void* memory) {
  At("free");
  plugin_memory::Free(memory);
}

void Init(TF_Filesystem*, TF_Status* status) {
  At("init");
  TF_SetStatus(status, TF_OK, "");
}

void Cleanup(TF_Filesystem*) { At("cleanup"); }

// A folder has one child, "quiet", unless its name is "deed".
int GetChildren(const TF_Filesystem*, const char* path, char*** entries,
                TF_Status* status) {
  const std::string_view name(path);
  if (name.size() > 4 && name.substr(name.size() - 4) == "deed") At("children");
  *entries = static_cast<char**>(plugin_memory::Allocate(sizeof(char*)));
  (*entries)[0] = plugin_memory::CopyString("quiet");
  TF_SetStatus(status, TF_OK, "");
  return 1;
}

}  // namespace hostile

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  hostile::At("entry");
  plugin_info->plugin_memory_allocate = &plugin_memory::Allocate;
  plugin_info->plugin_memory_free = &hostile::Free;
  plugin_info->num_schemes = 1;
  plugin_info->ops = static_cast<TF_FilesystemPluginOps*>(
      plugin_memory::Allocate(sizeof(TF_FilesystemPluginOps)));
  TF_FilesystemPluginOps* const ops = plugin_info->ops;
  TF_SetFilesystemVersionMetadata(ops);
  ops->scheme = plugin_memory::CopyString("hostile");
  ops->filesystem_ops = static_cast<TF_FilesystemOps*>(
      plugin_memory::Allocate(TF_FILESYSTEM_OPS_SIZE));
  ops->filesystem_ops->init = &hostile::Init;
  ops->filesystem_ops->cleanup = &hostile::Cleanup;
  if (std::string_view(hostile::kPoint) == "children") {
    ops->filesystem_ops->get_children = &hostile::GetChildren;
  }
}
