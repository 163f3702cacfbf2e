// A worker that answers its host with what cannot be an answer: for tests.
// FSLOAD_TEST_LIE says with what.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/tables/operations.h"
#include "fsload/version.h"
#include "loader/isolation/control_socket.h"
#include "loader/isolation/fields.h"
#include "loader/isolation/load_request.h"
#include "loader/isolation/option_fields.h"
#include "loader/isolation/slots.h"
#include "loader/isolation/worker_watch.h"
#include "loader/worker/given_lies.h"

namespace fsload {
namespace {

std::string_view Lie() {
  const char* const lie = std::getenv("FSLOAD_TEST_LIE");
  return lie == nullptr ? "" : lie;
}

// Begins a lie: calls that set an option fail, but for the first one, which
// makes the directory whose path follows.
constexpr std::string_view kSetsOnce = "sets once ";

bool SetsOnce() { return Lie().substr(0, kSetsOnce.size()) == kSetsOnce; }

// The answer to the load: a scheme "lie" with all operations, and another one
// if it SetsOnce().
std::string LoadFields() {
  LoadAnswer answer;
  answer.report.plugin = "liar";
  if (Lie() == "refused") {
    answer.report.status = absl::FailedPreconditionError("refused, it says");
  }
  std::vector<std::string> names = {"lie"};
  if (SetsOnce()) names.emplace_back("lie.other");
  for (const std::string& name : names) {
    SchemeReport& scheme = answer.report.schemes.emplace_back();
    scheme.scheme = name;
    scheme.registered = true;
    JournalFileSystem& served = answer.file_systems.emplace_back();
    served.scheme = name;
    served.plugin = "liar";
    // What it returns is shown, not asked for again.
    served.traits.replaces_atomically = true;
    for (const Operation& each : kOperations) {
      if (each.op != Op::kFilesystem_translate_name) {
        served.operations.push_back(each.op);
      }
    }
  }
  return ToFields(answer);
}

// More than the smallest buffer has.
constexpr uint64_t kRegionBytes = uint64_t{1} << 20;

// Returns the handle of each file that is opened: the host gives it back.
uint64_t Handle() { return Lie() == "wild handle" ? UINT64_MAX : 1; }

// What an operation is answered, before the lie.
std::string Fields(uint32_t op) {
  FieldWriter fields;
  if (op == static_cast<uint32_t>(Op::kFilesystem_stat)) {
    for (const uint64_t each : {7, 8, 0}) fields.Number(each);
  } else if (op == static_cast<uint32_t>(Op::kFilesystem_get_children)) {
    fields.Number(1);
    fields.Number(Lie() == "many names" ? uint64_t{1} << 60 : 2);
    for (const char* const each : {"a", "b"}) fields.TextOrNull(each);
  } else if (op ==
             static_cast<uint32_t>(Op::kFilesystem_new_random_access_file)) {
    fields.Number(Handle());
  } else if (op == static_cast<uint32_t>(
                       Op::kFilesystem_new_read_only_memory_region_from_file)) {
    for (const uint64_t each : {Handle(), kRegionBytes, uint64_t{1}}) {
      fields.Number(each);
    }
  }
  if (op ==
      static_cast<uint32_t>(Op::kFilesystem_get_filesystem_configuration)) {
    char name[] = "o";
    TF_Filesystem_Option option = {};
    option.name = name;
    for (const uint64_t each : {1, 1, 1}) fields.Number(each);
    PutOption(option, fields);
  }
  return fields.Release();
}

// Returns the mapped file of kGivenLies; null for other lies.
GivenLies* Given() {
  if (Lie().substr(0, kGivenLies.size()) != kGivenLies) return nullptr;
  const std::string path(Lie().substr(kGivenLies.size()));
  const Descriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  GivenLies* const given = GivenLies::Map(file.get());
  if (given == nullptr) _exit(8);
  return given;
}

class Liar {
 public:
  explicit Liar(std::shared_ptr<SharedMemory> slots)
      : slots_(std::move(slots)) {}

  void Serve(uint32_t slot) {
    SlotHead& head = HeadOf(*slots_, slot);
    for (;;) {
      while (head.state.load() != static_cast<uint32_t>(SlotState::kAsked)) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
      Answer(slot, head);
    }
  }

 private:
  static void End() { _exit(9); }

  void Answer(uint32_t slot, SlotHead& head) {
    const SlotRequest request = head.request;
    const bool loads = request.op == kLoadRequest;
    SlotAnswer answer = {};
    answer.number = request.number;
    std::string fields = loads ? LoadFields() : Fields(request.op);
    if (loads && Lie() == "no report") fields = "nonsense";
    answer.result =
        request.op == static_cast<uint32_t>(Op::kFilesystem_get_children) ? 2
                                                                          : 0;
    answer.fields = fields.size();
    if (loads && Lie() == "large report") answer.lacks_space = 1;
    if (loads && Lie() == "large report") answer.fields = size_t{17} << 20;
    if (!loads) Twist(request, head, answer, fields);
    Give(head, answer, fields, slot, request.contents);
  }

  // Makes the answer a lie.
  void Twist(const SlotRequest& request, SlotHead& head, SlotAnswer& answer,
             std::string& fields) {
    const std::string_view lie = Lie();
    if (!given_.AtEnd()) Garble(answer, fields);
    if (lie == "long fields") answer.fields = uint64_t{1} << 40;
    if (lie == "other call") ++answer.number;
    if (lie == "short fields") fields.resize(fields.size() / 2);
    if (lie == "short fields") answer.fields = fields.size();
    if (lie == "no fields") answer.fields = 0;
    if (lie == "out of turn") head.state.store(7);
    if (lie == "silent") pause();
    if (lie == "late") std::this_thread::sleep_for(std::chrono::seconds(5));
    if (lie == "many results") answer.result = INT64_MAX;
    if (lie == "negative result") answer.result = INT64_MIN;
    if (lie == "wide result") answer.result = INT64_MIN + 0x6e000000;
    if (lie == "strange code") answer.code = -7;
    if (lie == "closes") close(kControlDescriptor);
    if (lie == "closes") pause();
    if (lie == "large lack") answer.lacks_space = 1;
    if (lie == "large lack") answer.fields = UINT64_MAX;
    if (lie == "twice lacking") answer.lacks_space = 1;
    if (lie == "twice lacking") answer.fields = size_t{1} << 20;
    if (lie == "small region") MakeRegionSmall(request, answer);
    if (lie == "shrinks" && ftruncate(slots_->descriptor(), 0) != 0) End();
    if (SetsOnce() && !SetOptions(request)) answer.code = TF_INVALID_ARGUMENT;
    if (lie == "reads more")
      answer.result = static_cast<int64_t>(request.contents + 1);
  }

  // Returns false for a call that sets an option, but for the first one.
  static bool SetOptions(const SlotRequest& request) {
    constexpr Op kSet = Op::kFilesystem_set_filesystem_configuration_option;
    return request.op != static_cast<uint32_t>(kSet) ||
           mkdir(Lie().data() + kSetsOnce.size(), 0700) == 0;
  }

  // Has fields, for which there is no space, take the place of the contents.
  static void MakeRegionSmall(const SlotRequest& request, SlotAnswer& answer) {
    if (request.op == kRegionRequest) answer.lacks_space = 1;
    if (request.op == kRegionRequest || request.op == kFieldsRequest) {
      answer.fields = 8;
    }
  }

  // Changes what the next of the given bytes says.
  void Garble(SlotAnswer& answer, std::string& fields) {
    const uint8_t what = given_.Byte();
    if ((what & 1) != 0) fields = given_.Text();
    answer.fields = fields.size();
    if ((what & 2) != 0) answer.result = static_cast<int8_t>(given_.Byte());
    if ((what & 4) != 0) answer.code = static_cast<int8_t>(given_.Byte());
    if ((what & 8) != 0) answer.misses = given_.Byte();
    if ((what & 16) != 0) answer.lacks_space = given_.Byte();
    if ((what & 32) != 0) answer.result = static_cast<int64_t>(given_.Number());
    // Each of these is the end of the worker.
    if ((what & 64) != 0 && given_.Byte() % 16 == 1) ++answer.number;
    if ((what & 128) != 0 && given_.Byte() % 16 == 1) {
      answer.fields = given_.Number();
    }
  }

  void Give(SlotHead& head, const SlotAnswer& answer, const std::string& fields,
            uint32_t slot, uint64_t begin) {
    if (head.state.load() != static_cast<uint32_t>(SlotState::kAsked)) {
      return WakeSlot(head);
    }
    if (begin + fields.size() <= kSlotBytes) {
      std::memcpy(MemoryOf(*slots_, slot) + begin, fields.data(),
                  fields.size());
    }
    head.answer = answer;
    head.state.store(static_cast<uint32_t>(SlotState::kAnswered));
    WakeSlot(head);
    // The load is answered once.
    if (Lie() != "twice" || answer.number == 1) return;
    // The first answer has been taken by then, also on a busy machine.
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    head.answer.number = 0;
    head.state.store(static_cast<uint32_t>(SlotState::kAnswered));
    WakeSlot(head);
  }

  const std::shared_ptr<SharedMemory> slots_;
  LieReader given_{Given()};
};

}  // namespace
}  // namespace fsload

int main() {
  using namespace fsload;
  ControlMessage hello;
  hello.protocol = Lie() == "protocol" ? kWorkerProtocol + 1 : kWorkerProtocol;
  (Lie() == "version" ? std::string_view("0.0.9") : kVersion)
      .copy(hello.version, sizeof(hello.version) - 1);
  if (Lie() == "slots for hello") hello.kind = ControlKind::kSlots;
  if (Lie() != "mute") {
    SendControl(kControlDescriptor, hello, -1, absl::Seconds(1));
  }
  Liar* liar = nullptr;
  for (;;) {
    ControlMessage message;
    Descriptor file;
    if (!ReceiveControl(kControlDescriptor, message, file, absl::Hours(1))) {
      if (Lie() == "closes") pause();
      return 0;
    }
    if (message.kind == ControlKind::kQuit) return 0;
    if (message.kind == ControlKind::kSlots) {
      auto slots = SharedMemory::Map(std::move(file), kSlotsBytes);
      liar = new Liar(*std::move(slots));
    } else if (message.kind == ControlKind::kThread && liar != nullptr) {
      std::thread([liar, slot = message.slot] { liar->Serve(slot); }).detach();
    }
  }
}
