#include "loader/supervision/crash_reporter.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "compat/guarded_copy.h"
#include "loader/elf/demangle.h"
#include "loader/elf/nearest_symbol.h"
#include "loader/machine/machine.h"
#include "loader/supervision/signal_text.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

SharedMessages* messages = nullptr;
pid_t reporting_process = -1;
const void* entry_argument = nullptr;

// The dynamic linker's code.
uintptr_t linker_begin = 0;
uintptr_t linker_end = 0;

bool IsLinkers(uintptr_t code) {
  return code >= linker_begin && code < linker_end;
}

void FindLinker() {
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void*) {
        const auto base = static_cast<uintptr_t>(getauxval(AT_BASE));
        if (base == 0 || object->dlpi_addr != base) return 0;
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = object->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) {
            continue;
          }
          linker_begin = base + segment.p_vaddr;
          linker_end = linker_begin + segment.p_memsz;
        }
        return 1;
      },
      nullptr);
}

constexpr int kSignals[] = {SIGSEGV, SIGBUS,  SIGILL, SIGFPE,
                            SIGABRT, SIGTRAP, SIGSYS};

// A plugin is opened under such a name (loader/trust/private_copy.h).
constexpr std::string_view kPluginPrefix = "/proc/";

// The contents of the file at `path`, mapped permanently; empty on failure.
absl::Span<const char> MapFile(const char* path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  struct stat status = {};
  void* pages = MAP_FAILED;
  if (fstat(fd, &status) == 0 && status.st_size > 0) {
    pages = mmap(nullptr, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  }
  close(fd);
  if (pages == MAP_FAILED) return {};
  return {static_cast<const char*>(pages), static_cast<size_t>(status.st_size)};
}

// Whether this code's own file is `object`, which may also be opened under such
// a name: a program that is executed as /proc/self/exe.
bool IsOwn(const Dl_info& object) {
  Dl_info own = {};
  return dladdr(reinterpret_cast<void*>(&FindLinker), &own) != 0 &&
         own.dli_fbase == object.dli_fbase;
}

// A code address as "<offset> <symbol> <offset from it> <inside it> <object>".
// The object is a path and may contain spaces.
size_t WritePlace(uintptr_t code, char* text, size_t size) {
  Dl_info object = {};
  if (dladdr(reinterpret_cast<void*>(code), &object) == 0) {
    return std::snprintf(text, size, "%#zx ? 0 0 ?", code);
  }
  const uintptr_t offset = code - reinterpret_cast<uintptr_t>(object.dli_fbase);
  const NearestSymbol symbol =
      FindNearestSymbol(MapFile(object.dli_fname), offset);
  return std::snprintf(text, size, "%#zx %.*s %#zx %d %.300s", offset,
                       symbol.name.empty() ? 1
                                           : static_cast<int>(std::min<size_t>(
                                                 symbol.name.size(), 300)),
                       symbol.name.empty() ? "?" : symbol.name.data(),
                       static_cast<size_t>(symbol.offset), symbol.inside,
                       IsOwn(object) ? "fsload" : object.dli_fname);
}

// Reports the plugin's innermost function on the stack. `first` is the first
// frame if the stack cannot be unwound from the top (0: it can).
void ReportCulprit(uintptr_t first) {
  void* frames[64];
  const int count =
      first != 0 ? 1 : backtrace(frames, static_cast<int>(std::size(frames)));
  if (first != 0) frames[0] = reinterpret_cast<void*>(first);
  for (int i = 0; i < count; ++i) {
    Dl_info object = {};
    if (dladdr(frames[i], &object) == 0 ||
        std::string_view(object.dli_fname).substr(0, kPluginPrefix.size()) !=
            kPluginPrefix ||
        IsOwn(object)) {
      continue;
    }
    char text[640];
    // A call may be a function's last instruction, so its return address is
    // past the end.
    const size_t bytes = WritePlace(reinterpret_cast<uintptr_t>(frames[i]) - 1,
                                    text, sizeof(text));
    messages->Append(kCulpritWord, {text, std::min(bytes, sizeof(text) - 1)});
    return;
  }
}

CrashKind KindOf(int signal, bool known, bool jump, uintptr_t address,
                 uintptr_t caller, const CodeAndStack& at) {
  if (jump && at.code == reinterpret_cast<uintptr_t>(entry_argument)) {
    return CrashKind::kJumpToArgument;
  }
  if (jump) return IsLinkers(caller) ? CrashKind::kLinker : CrashKind::kJump;
  // Frames are rarely larger.
  constexpr uintptr_t kLargestFrame = uintptr_t{1} << 20;
  const bool overflow = signal == SIGSEGV && known &&
                        address + kLargestFrame >= at.stack &&
                        address <= at.stack + kLargestFrame;
  if (overflow) return CrashKind::kOverflow;
  return IsLinkers(at.code) ? CrashKind::kLinker : CrashKind::kOther;
}

// Nothing called here is guaranteed to work in a signal handler; it does unless
// the dynamic linker itself is broken, and then the parent still reports the
// signal.
void OnCrash(int signal, siginfo_t* info, void* context) {
  if (getpid() == reporting_process) {
    const CodeAndStack at = ReadContext(context);
    // A code above 0 comes from the kernel; otherwise somebody sent the signal.
    const uintptr_t address =
        info->si_code > 0 ? reinterpret_cast<uintptr_t>(info->si_addr) : 0;
    const bool known = info->si_code > 0 && signal != SIGABRT;
    // A call of an address that is not code left its return address. arm64
    // answers a misaligned address with SIGBUS.
    const bool misaligned = signal == SIGBUS && info->si_code == BUS_ADRALN;
    const bool jump =
        known && (signal == SIGSEGV || misaligned) && address == at.code;
    uintptr_t caller = jump ? at.link : 0;
    if (jump && caller == 0) {
      GuardedCopy(reinterpret_cast<const void*>(at.stack), sizeof(caller),
                  &caller);
    }
    const CrashKind kind = KindOf(signal, known, jump, address, caller, at);
    char text[700];
    const size_t start = std::snprintf(text, sizeof(text), "%d %d %#zx ",
                                       static_cast<int>(kind), known, address);
    // First without what may fail if the dynamic linker is broken.
    messages->Append(kCrashWord, {text, start});
    const size_t bytes =
        start + WritePlace(at.code, text + start, sizeof(text) - start);
    messages->Append(kCrashWord, {text, std::min(bytes, sizeof(text) - 1)});
    const size_t digits = std::snprintf(text, sizeof(text), "%d", gettid());
    messages->Append(kDyingThreadWord, {text, digits});
    ReportCulprit(caller);
  }
  // The default action, so that the parent sees the signal.
  ::signal(signal, SIG_DFL);
  raise(signal);
}

// The process that crashed may have written anything.
constexpr size_t kMaxLocationBytes = 1024;

// A code address as WritePlace wrote it.
struct CodeLocation {
  std::string object;  // "" if the code is in no object
  std::string offset;
  std::string symbol;   // "Crash()+0x4", "" if there is none
  bool inside = false;  // false: it is only near the symbol
};

CodeLocation ReadLocation(const std::string& text) {
  if (text.size() > kMaxLocationBytes) return {};
  const std::vector<std::string> words =
      absl::StrSplit(text, absl::MaxSplits(' ', 4));
  if (words.size() != 5 || words[4] == "?") return {};
  const std::string& path = words[4];
  return {
      path.substr(0, kPluginPrefix.size()) == kPluginPrefix
          ? "the plugin"
          : path.substr(path.find_last_of('/') + 1),
      words[0],
      words[1] == "?" ? "" : Demangler().Demangle(words[1]) + "+" + words[2],
      words[3] == "1"};
}

std::string LocationText(const CodeLocation& location) {
  if (location.object.empty()) return "in no object's code";
  if (location.symbol.empty()) {
    return Format("at {} of {}", location.offset, location.object);
  }
  return Format("{} {} of {}", location.inside ? "in" : "near", location.symbol,
                location.object);
}

}  // namespace

void NoteEntryArgument(const void* info) { entry_argument = info; }

void UseSignalStack() {
  constexpr size_t kStackBytes = size_t{256} << 10;
  void* const stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) return;
  stack_t own = {};
  own.ss_sp = stack;
  own.ss_size = kStackBytes;
  sigaltstack(&own, nullptr);
}

void ReportCrash(SharedMessages& shared) {
  FindLinker();
  messages = &shared;
  reporting_process = getpid();
  // The first call loads libraries, which a crashing process may be unable to
  // do.
  void* frame;
  backtrace(&frame, 1);
  UseSignalStack();
  struct sigaction action = {};
  action.sa_sigaction = &OnCrash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) sigaction(signal, &action, nullptr);
}

Crash ReadCrash(std::string_view text) {
  std::string_view crash;
  std::string_view culprit;
  while (!text.empty()) {
    const SharedMessage message = TakeMessage(text);
    // It comes again when more of it is known.
    if (message.word == kCrashWord) crash = message.rest;
    if (message.word == kCulpritWord) culprit = message.rest;
  }
  if (crash.size() > kMaxLocationBytes) return {};
  const std::vector<std::string> words =
      absl::StrSplit(std::string(crash), absl::MaxSplits(' ', 3));
  if (words.size() < 4) return {};
  const bool known_kind =
      words[0].size() == 1 && words[0][0] >= '0' && words[0][0] <= '4';
  const CodeLocation code = ReadLocation(words[3]);
  const CodeLocation plugin = ReadLocation(std::string(culprit));
  Crash reported;
  reported.reported = true;
  if (known_kind) reported.kind = static_cast<CrashKind>(words[0][0] - '0');
  reported.overflow = reported.kind == CrashKind::kOverflow;
  reported.by_plugin = !plugin.object.empty();
  if (words[1] == "1") reported.location = Format("at address {}, ", words[2]);
  if (reported.by_plugin && code.object.empty()) {
    reported.location += "called " + LocationText(plugin);
  } else if (plugin.object.empty() || plugin.object == code.object) {
    reported.location += LocationText(code);
  } else if (code.inside) {
    reported.location +=
        LocationText(code) + ", called " + LocationText(plugin);
  } else {
    // A library's nearest symbol says less than the plugin's.
    reported.location += LocationText(plugin);
  }
  return reported;
}

std::string SignalText(int signal, const Crash& crash) {
  std::string text = SignalText(signal);
  if (!crash.location.empty()) text += " " + crash.location;
  return text;
}

}  // namespace fsload
