// Hosts that lie to their worker: it refuses what they say, or ends itself,
// and no signal ends it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/system/descriptor.h"
#include "core/system/memory_file.h"
#include "core/tables/operations.h"
#include "loader/isolation/control_socket.h"
#include "loader/isolation/fields.h"
#include "loader/isolation/load_request.h"
#include "loader/isolation/slots.h"
#include "loader/isolation/worker_program.h"
#include "loader/isolation/worker_watch.h"

namespace fsload {
namespace {

constexpr absl::Duration kAnswerTime = absl::Minutes(1);

// Starts a worker, and is its host.
class LyingHost final {
 public:
  LyingHost() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
      return;
    }
    control_ = Descriptor(ends[0]);
    const Descriptor workers(ends[1]);
    const Descriptor crash(CreateMemoryFile("crash"));
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    // Above those that the worker gets.
    const Descriptor high(fcntl(workers.get(), F_DUPFD_CLOEXEC, 16));
    const Descriptor high_crash(fcntl(crash.get(), F_DUPFD_CLOEXEC, 16));
    posix_spawn_file_actions_adddup2(&files, high.get(), kControlDescriptor);
    posix_spawn_file_actions_adddup2(&files, high_crash.get(),
                                     kCrashDescriptor);
    const std::string program =
        FindWorkerProgram("", CopyOfEnvironment())->path;
    char* const words[] = {const_cast<char*>(program.c_str()), nullptr};
    if (posix_spawn(&pid_, program.c_str(), &files, nullptr, words, environ) !=
        0) {
      pid_ = -1;
    }
    posix_spawn_file_actions_destroy(&files);
    ControlMessage hello;
    Descriptor none;
    greeted_ = ReceiveControl(control_.get(), hello, none, kAnswerTime);
  }
  ~LyingHost() {
    if (pid_ > 0) kill(pid_, SIGKILL);
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
  }

  LyingHost(const LyingHost&) = delete;
  LyingHost& operator=(const LyingHost&) = delete;

  bool greeted() const { return greeted_; }
  int control() const { return control_.get(); }

  void Send(ControlKind kind, uint32_t slot = 0, uint64_t bytes = 0,
            int descriptor = -1, uint64_t buffer = 0) {
    ControlMessage message;
    message.kind = kind;
    message.slot = slot;
    message.bytes = bytes;
    message.buffer = buffer;
    // It may have ended.
    static_cast<void>(SendControl(control(), message, descriptor, kAnswerTime));
  }

  // Sends memory for the slots, as an honest host does.
  void SendSlots() {
    slots_ = *SharedMemory::Create(kSlotsBytes);
    Send(ControlKind::kSlots, 0, kSlotsBytes, slots_->descriptor());
  }

  // Makes a call in the first slot, with `fields` behind its contents. Returns
  // the message of its error; "OK" if there is none, "" without an answer.
  std::string MessageOf(SlotRequest request, const std::string& fields = "") {
    if (!fields.empty()) request.fields = fields.size();
    fields.copy(MemoryOf(*slots_, 0) + request.contents, fields.size());
    if (!Ask(request)) return "";
    if (HeadOf(*slots_, 0).answer.code == TF_OK) return "OK";
    SlotRequest rest = {};
    rest.op = kFieldsRequest;
    if (!Ask(rest)) return "";
    const std::string found = Fields();
    return std::string(FieldReader(found).Text());
  }

  // Returns the fields of the last answer to a call without contents.
  std::string Fields() const {
    return {MemoryOf(*slots_, 0), HeadOf(*slots_, 0).answer.fields};
  }

  // Asks it to end. Returns its exit code, or 1000 and the signal.
  int Quit() {
    Send(ControlKind::kQuit);
    const absl::Time end = absl::Now() + kAnswerTime;
    while (!HasEnded() && absl::Now() < end) {
      absl::SleepFor(absl::Milliseconds(1));
    }
    if (pid_ > 0) return -1;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 1000 + WTERMSIG(status_);
  }

 private:
  // Returns whether there is an answer.
  bool Ask(const SlotRequest& request) {
    SlotHead& head = HeadOf(*slots_, 0);
    head.request = request;
    SetState(head, SlotState::kAsked, head.worker_sleeps);
    const absl::Time end = absl::Now() + kAnswerTime;
    while (head.state.load() != static_cast<uint32_t>(SlotState::kAnswered)) {
      if (absl::Now() > end || HasEnded()) return false;
      absl::SleepFor(absl::Milliseconds(1));
    }
    return true;
  }

  bool HasEnded() {
    if (pid_ > 0 && waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = -1;
    return pid_ <= 0;
  }

  Descriptor control_;
  std::unique_ptr<SharedMemory> slots_;
  pid_t pid_ = -1;
  int status_ = 0;
  bool greeted_ = false;
};

constexpr int kServes = 0;       // as if nothing had been said
constexpr int kCannotServe = 3;  // it says why, and ends

struct HostLie {
  const char* name;
  int exit_code;
  void (*tell)(LyingHost& host);
};

// Returns memory that its host can shrink.
Descriptor Unsealed(size_t bytes) {
  Descriptor file(memfd_create("unsealed", MFD_CLOEXEC));
  EXPECT_EQ(ftruncate(file.get(), static_cast<off_t>(bytes)), 0);
  return file;
}

constexpr HostLie kLies[] = {
    {"nothing", kServes, [](LyingHost& host) { host.SendSlots(); }},
    {"calls before memory", kServes,
     [](LyingHost& host) {
       host.Send(ControlKind::kThread);
       host.Send(ControlKind::kBuffer, 0, 4096, Unsealed(4096).get(), 1);
     }},
    {"no memory", kCannotServe,
     [](LyingHost& host) { host.Send(ControlKind::kSlots, 0, kSlotsBytes); }},
    {"too little memory", kCannotServe,
     [](LyingHost& host) {
       host.Send(ControlKind::kSlots, 0, kSlotsBytes,
                 (*SharedMemory::Create(4096))->descriptor());
     }},
    {"memory that can shrink", kCannotServe,
     [](LyingHost& host) {
       const Descriptor file = Unsealed(kSlotsBytes);
       host.Send(ControlKind::kSlots, 0, kSlotsBytes, file.get());
       host.Send(ControlKind::kThread);
       EXPECT_EQ(ftruncate(file.get(), 0), 0);
     }},
    {"memory twice", kServes,
     [](LyingHost& host) {
       host.SendSlots();
       host.SendSlots();
     }},
    {"slots that are not there", kServes,
     [](LyingHost& host) {
       host.SendSlots();
       for (const uint32_t slot : {uint32_t{kSlots}, UINT32_MAX}) {
         host.Send(ControlKind::kThread, slot);
         host.Send(ControlKind::kBuffer, slot, 4096, Unsealed(4096).get(), 1);
       }
     }},
    {"a buffer without memory", kCannotServe,
     [](LyingHost& host) {
       host.SendSlots();
       host.Send(ControlKind::kBuffer, 0, 4096, -1, 1);
     }},
    {"an unknown message", kServes,
     [](LyingHost& host) {
       host.SendSlots();
       host.Send(static_cast<ControlKind>(99));
     }},
    {"a short message", kCannotServe,
     [](LyingHost& host) {
       host.SendSlots();
       EXPECT_EQ(send(host.control(), "abc", 3, MSG_NOSIGNAL), 3);
     }},
};

TEST(LyingHostTest, IsRefused) {
  for (const HostLie& lie : kLies) {
    SCOPED_TRACE(lie.name);
    LyingHost host;
    ASSERT_TRUE(host.greeted());
    lie.tell(host);
    EXPECT_EQ(host.Quit(), lie.exit_code);
  }
}

// A call of new_random_access_file of the first file system.
constexpr SlotRequest kCall = {
    1, static_cast<uint32_t>(Op::kFilesystem_new_random_access_file),
    0, 0,
    0, 0,
    0, 0,
    0};

template <typename Change>
constexpr SlotRequest Changed(const Change& change) {
  SlotRequest request = kCall;
  change(request);
  return request;
}

struct WrongCall {
  const char* name;
  SlotRequest request;
  const char* message;  // part of the answer's
};

constexpr char kDoesNotFit[] = "does not fit in its memory";

constexpr WrongCall kWrongCalls[] = {
    {"a file system that is not there",
     Changed([](SlotRequest& each) { each.scheme = 7; }), "no such scheme"},
    {"contents beyond the slot",
     Changed([](SlotRequest& each) { each.contents = kSlotBytes + 1; }),
     kDoesNotFit},
    {"fields beyond the slot",
     Changed([](SlotRequest& each) { each.fields = UINT64_MAX; }), kDoesNotFit},
    {"both together beyond it", Changed([](SlotRequest& each) {
       each.contents = kSlotBytes - 1;
       each.fields = 2;
     }),
     kDoesNotFit},
    {"no operation", Changed([](SlotRequest& each) { each.op = UINT32_MAX; }),
     "no such operation"},
    {"a region of no file",
     Changed([](SlotRequest& each) { each.op = kRegionRequest; }),
     "no such open file"},
    {"a file that is not open", Changed([](SlotRequest& each) {
       each.op = static_cast<uint32_t>(Op::kRandomAccessFile_read);
       each.file = 99;
     }),
     "no such open file"},
    {"a second load",
     Changed([](SlotRequest& each) { each.op = kLoadRequest; }), "no load"},
};

// A host that has loaded a plugin.
class LoadedHost : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(host_.greeted());
    host_.SendSlots();
    host_.Send(ControlKind::kThread);
    LoadRequest load;
    load.plugin = "testdata/memory.so";
    SlotRequest request = kCall;
    request.op = kLoadRequest;
    ASSERT_EQ(host_.MessageOf(request, ToFields(load)), "OK");
    const std::optional<LoadAnswer> loaded = LoadAnswerFrom(host_.Fields());
    ASSERT_TRUE(loaded.has_value());
    ASSERT_EQ(loaded->report.status, absl::OkStatus());
  }
  void TearDown() override { EXPECT_EQ(host_.Quit(), kServes); }

  LyingHost host_;
};

TEST_F(LoadedHost, GetsAnErrorForAWrongCall) {
  for (const WrongCall& each : kWrongCalls) {
    SCOPED_TRACE(each.name);
    EXPECT_THAT(host_.MessageOf(each.request),
                testing::HasSubstr(each.message));
  }
}

TEST_F(LoadedHost, GetsAnErrorForABufferThatWasNotSent) {
  SlotRequest request = kCall;
  request.buffer = 7;
  request.contents = 1;
  EXPECT_THAT(host_.MessageOf(request), testing::HasSubstr(kDoesNotFit));
}

TEST_F(LoadedHost, GetsAnErrorForABufferThatIsTooSmall) {
  host_.Send(ControlKind::kBuffer, 0, uint64_t{1} << 40,
             (*SharedMemory::Create(4096))->descriptor(), 1);
  SlotRequest request = kCall;
  request.buffer = 1;
  request.contents = 1;
  EXPECT_THAT(host_.MessageOf(request), testing::HasSubstr(kDoesNotFit));
}

}  // namespace
}  // namespace fsload
