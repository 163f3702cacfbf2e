#include "loader/worker/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/calls/missing_function.h"
#include "core/calls/status_payload.h"
#include "core/file_system/plugin_file_system.h"
#include "core/system/freed_blocks.h"
#include "core/system/proc_fields.h"
#include "core/tables/operations.h"
#include "fsload/log_sink.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "fsload/version.h"
#include "loader/confinement/confinement.h"
#include "loader/isolation/control_socket.h"
#include "loader/isolation/load_request.h"
#include "loader/isolation/payload_fields.h"
#include "loader/isolation/slots.h"
#include "loader/isolation/worker_output.h"
#include "loader/isolation/worker_program.h"
#include "loader/isolation/worker_watch.h"
#include "loader/loading/load_same_file.h"
#include "loader/supervision/crash_reporter.h"
#include "loader/worker/served_call.h"
#include "loader/worker/slot_buffers.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Lines go to the host, with their levels.
void WriteLogLine(const LogRecord& record, void*) {
  const std::string lines = OutputOf(record.level, record.message);
  static_cast<void>(!write(STDERR_FILENO, lines.data(), lines.size()));
}

// Ends the process, and has the host print why.
[[noreturn]] void Leave(const absl::Status& why) {
  constexpr int kCannotServe = 3;
  Log(TF_ERROR, std::string(why.message()));
  _exit(kCannotServe);
}

JournalFileSystem Described(const FileSystem& file_system) {
  const SchemeTables& tables = TablesOf(file_system);
  JournalFileSystem described;
  described.scheme = file_system.scheme();
  described.plugin = file_system.plugin();
  described.traits = tables.traits;
  for (const Operation& each : kOperations) {
    if (FunctionIn(tables, each.op) != nullptr) {
      described.operations.push_back(each.op);
    }
  }
  return described;
}

// What the process may write to, of files; "" if that is not limited.
std::string& WritableFolders() {
  static auto* const folders = new std::string;
  return *folders;
}

// Confines this process if `arguments` ask for it. What this system does not
// have is a warning.
void ConfineAsAsked(absl::Span<char* const> arguments) {
  if (arguments.empty() ||
      arguments.front() != std::string_view(kConfinedWord)) {
    return;
  }
  arguments.remove_prefix(1);
  ConfinementOptions options;
  options.writable_folders.assign(arguments.begin(), arguments.end());
  options.cpu_seconds = 0;  // it may live for years
  options.file_bytes = 0;
  options.network = true;
  options.programs = false;
  for (const std::string& line : ConfineThisProcess(options)) {
    if (line.compare(0, kNotAvailable.size(), kNotAvailable) == 0) {
      Log(TF_WARNING, Format("the plugin is confined less than asked; this "
                             "system does not enforce: {}",
                             line.substr(kNotAvailable.size())));
    }
  }
  WritableFolders() = absl::StrJoin(options.writable_folders, ", ");
}

class Worker {
 public:
  explicit Worker(std::unique_ptr<SharedMemory> slots)
      : slots_(std::move(slots)) {}

  // Starts the thread of a slot, which lives as long as the process; without
  // it, the process ends.
  void StartThread(uint32_t slot) {
    if (slot >= kSlots || std::exchange(started_[slot], true)) return;
    try {
      std::thread([this, slot] { ServeSlot(slot); }).detach();
    } catch (const std::system_error& error) {
      Leave(ResourceExhaustedError("no thread for a call: {}", error.what()));
    }
  }

  void GiveBuffer(const ControlMessage& message, Descriptor file) {
    if (message.slot >= kSlots) return;
    std::shared_ptr<SharedMemory> buffer;
    // Without bytes: the last one is not used any more.
    if (message.bytes != 0) {
      auto memory = SharedMemory::Map(std::move(file), message.bytes);
      if (absl::IsResourceExhausted(memory.status())) Leave(memory.status());
      if (memory.ok()) buffer = *std::move(memory);
    }
    buffers_[message.slot].Give(message.buffer, std::move(buffer));
  }

 private:
  // Ends the process if the plugin ends the thread (pthread_exit): the host
  // would wait for its answer.
  struct EndOfThread {
    ~EndOfThread() {
      Leave(InternalError("a call of the plugin ended its thread"));
    }
  };

  void ServeSlot(uint32_t slot) {
    const EndOfThread end;
    UseSignalStack();
    SlotHead& head = HeadOf(*slots_, slot);
    Spinner spinner;
    uint64_t next = 1;  // the number of the call that is waited for
    constexpr auto kAsked = static_cast<uint32_t>(SlotState::kAsked);
    // Acquire: what the host wrote before it set the state is seen.
    const auto asked = [&head] {
      return head.state.load(std::memory_order_acquire) == kAsked;
    };
    for (;;) {
      if (!spinner.Spin(next, asked)) {
        for (uint32_t now; (now = head.state.load()) != kAsked;) {
          SleepWhile(head, now, head.worker_sleeps, absl::Hours(1));
        }
      }
      next = Answer(slot, head) + 1;
      SetState(head, SlotState::kAnswered, head.caller_sleeps);
    }
  }

  // Returns the number of the call.
  uint64_t Answer(uint32_t slot, SlotHead& head) {
    SlotRequest request;
    CopyOnce(&request, &head.request, sizeof(request));
    std::shared_ptr<SharedMemory> buffer;
    if (request.buffer != 0) buffer = buffers_[slot].Await(request.buffer);
    absl::Span<char> memory;
    if (request.buffer == 0) memory = {MemoryOf(*slots_, slot), kSlotBytes};
    if (buffer != nullptr) memory = {buffer->data(), buffer->size()};
    SlotAnswer answer = {};
    answer.number = request.number;
    std::string& waiting = waiting_[slot];
    if (request.op != kFieldsRequest) {
      waiting.clear();
      const bool fits = request.contents <= memory.size() &&
                        request.fields <= memory.size() - request.contents;
      waiting = fits ? Answered(request, memory.data(), answer)
                     : NoCall(answer, "a call that does not fit in its memory");
    }
    const size_t place = std::min<uint64_t>(request.contents, memory.size());
    answer.fields = waiting.size();
    answer.lacks_space = waiting.size() > memory.size() - place ? 1 : 0;
    if (answer.lacks_space == 0 && !waiting.empty()) {
      std::memcpy(memory.data() + place, waiting.data(), waiting.size());
    }
    head.answer = answer;
    // A region's memory is its host's from now on.
    if (request.op == kRegionRequest) {
      buffers_[slot].Give(request.buffer, nullptr);
    }
    return request.number;
  }

  static std::string NoCall(SlotAnswer& answer, const char* why) {
    answer.code = TF_INVALID_ARGUMENT;
    FieldWriter fields;
    fields.Text(why);
    fields.Number(0);
    return fields.Release();
  }

  // Makes the call. Returns the fields of its answer.
  std::string Answered(const SlotRequest& request, char* memory,
                       SlotAnswer& answer) {
    // A copy, which the host cannot change while it is read.
    const std::string arguments(memory + request.contents, request.fields);
    if (request.op == kLoadRequest) {
      return Load(arguments, {memory, request.contents}, answer);
    }
    ServedCall call = {
        request, {memory, request.contents}, FieldReader(arguments), objects_};
    if (request.status != 0) {
      call.before = static_cast<TF_Code>(call.arguments.Number());
      call.message_before = call.arguments.Text();
    }
    Serve(call);
    answer.error = call.error;
    answer.code = call.status.code;
    answer.result = call.result;
    if (call.status.code == TF_OK) return call.fields.Release();
    answer.misses =
        HasPayload(call.status.get(), kMissingFunctionPayload) ? 1 : 0;
    return StatusFields(call.status.get(), call.error) + call.fields.Release();
  }

  // Returns the message of a status, with errno after the call, and payloads.
  std::string StatusFields(const TF_Status* status, int error) const {
    FieldWriter fields;
    std::string message = TF_Message(status);
    const TF_Code code = TF_GetCode(status);
    if (code == TF_PERMISSION_DENIED && !WritableFolders().empty()) {
      message += Format(
          "; the plugin is confined and writes local files to {} "
          "only",
          WritableFolders());
    }
    const bool lacks_other = error == ENOSPC || error == EDQUOT ||
                             error == EMFILE || error == ENFILE;
    const bool is_exhausted = code == TF_RESOURCE_EXHAUSTED && !lacks_other;
    // The others are of an exception, perhaps.
    if (is_exhausted || code == TF_INTERNAL || code == TF_UNKNOWN) {
      message += MemoryText(is_exhausted);
    }
    fields.Text(message);
    PutPayloads(status, fields);
    return fields.Release();
  }

  // Returns what an error says of the limit on memory, if memory is exhausted
  // or this process came near the limit.
  std::string MemoryText(bool is_exhausted) const {
    const bool may_lack_memory =
        memory_limit_ != 0 &&
        (is_exhausted ||
         ProcFields("/proc/self/status").Bytes("VmPeak") >= memory_limit_ / 2);
    return may_lack_memory ? MemoryLimitText(memory_limit_) : "";
  }

  // Limits what this process may allocate; 0: not. False if that is refused.
  static bool LimitMemory(uint64_t bytes) {
    const rlimit limit = {bytes, bytes};
    return bytes == 0 || setrlimit(RLIMIT_AS, &limit) == 0;
  }

  // Loads the plugin, once.
  std::string Load(const std::string& fields, absl::Span<const char> bytes,
                   SlotAnswer& answer) {
    std::optional<LoadRequest> request = LoadRequestFrom(fields);
    if (!request.has_value() || std::exchange(loaded_, true)) {
      return NoCall(answer, "no load");
    }
    memory_limit_ = request->memory_limit;
    if (!LimitMemory(memory_limit_)) {
      return NoCall(answer, "the system refuses the limit on memory");
    }
    static auto* const registry = new SchemeRegistry;
    std::vector<FileSystemPtr> made;
    LoadOptions& options = request->options;
    options.registry = registry;
    options.wrap = [&made](FileSystemPtr file_system) {
      made.push_back(file_system);
      return file_system;
    };
    options.on_entry = [](const void* info) { NoteEntryArgument(info); };
    LoadAnswer loaded;
    loaded.file_identity = request->file_identity;
    loaded.report =
        request->from_bytes
            ? LoadPluginFromBytes(request->plugin, bytes, options)
            : LoadSameFile(request->plugin, loaded.file_identity, options);
    if (absl::Status& status = loaded.report.status; !status.ok()) {
      status = absl::Status(
          status.code(),
          absl::StrCat(status.message(),
                       MemoryText(absl::IsResourceExhausted(status))));
    }
    for (FileSystemPtr& each : made) {
      if (!registry->Retire(each->scheme()).ok()) continue;
      loaded.file_systems.push_back(Described(*each));
      const MutexLock lock(objects_.mutex);
      objects_.file_systems.push_back(std::move(each));
    }
    return ToFields(loaded);
  }

  const std::unique_ptr<SharedMemory> slots_;
  std::array<SlotBuffers, kSlots> buffers_;
  std::array<bool, kSlots> started_ = {};
  std::array<std::string, kSlots> waiting_;  // fields that had no space
  bool loaded_ = false;
  uint64_t memory_limit_ = 0;  // bytes; written by the load, the first call
  WorkerObjects objects_;
};

// Whether it may be a socket.
bool IsSocket(int descriptor) {
  struct stat found;
  if (fstat(descriptor, &found) != 0) return errno != EBADF;
  return S_ISSOCK(found.st_mode);
}

void SayHello() {
  ControlMessage hello;
  hello.kind = ControlKind::kHello;
  hello.protocol = kWorkerProtocol;
  kVersion.copy(hello.version, sizeof(hello.version) - 1);
  if (!SendControl(kControlDescriptor, hello, -1, absl::Seconds(10))) {
    Leave(ErrnoError(errno, "no message to the host"));
  }
}

}  // namespace

int RunWorker(absl::Span<char* const> arguments) {
  constexpr int kNobody = 2;
  // The host may end before it can say so.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!IsSocket(kControlDescriptor)) {
    std::fputs(
        "fsload-worker: the fsload library starts this program; it does "
        "nothing by itself\n",
        stderr);
    return kNobody;
  }
  for (const int each : {kControlDescriptor, kCrashDescriptor}) {
    fcntl(each, F_SETFD, FD_CLOEXEC);
  }
  const std::unique_ptr<SharedMessages> crash =
      SharedMessages::OfFile(kCrashDescriptor);
  close(kCrashDescriptor);
  if (crash != nullptr) ReportCrash(*crash);
  SetLogTarget({&WriteLogLine, nullptr});
  // Lines that the plugin prints before a crash are not lost.
  setvbuf(stdout, nullptr, _IOLBF, 0);
  // A server that closes a connection is an error of a call.
  signal(SIGPIPE, SIG_IGN);
  KeepFreedBlocks();
  ConfineAsAsked(arguments);
  SayHello();
  std::unique_ptr<Worker> worker;
  for (;;) {
    ControlMessage message;
    Descriptor file;
    if (!ReceiveControl(kControlDescriptor, message, file, absl::Hours(24))) {
      if (errno == ETIMEDOUT) continue;
      if (errno == 0) break;  // the host has ended
      Leave(ErrnoError(errno, "no messages of the host"));
    }
    if (message.kind == ControlKind::kQuit) break;
    if (message.kind == ControlKind::kSlots && worker == nullptr) {
      auto slots = SharedMemory::Map(std::move(file), kSlotsBytes);
      if (!slots.ok()) Leave(slots.status());
      worker = std::make_unique<Worker>(*std::move(slots));
    }
    if (worker == nullptr) continue;
    if (message.kind == ControlKind::kThread) worker->StartThread(message.slot);
    if (message.kind == ControlKind::kBuffer) {
      worker->GiveBuffer(message, std::move(file));
    }
  }
  // Without static destructors: threads of the plugin may still run.
  std::fflush(nullptr);
  _exit(0);
}

}  // namespace fsload
