#include "loader/confined_load/confined_load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/config.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "loader/machine/machine.h"
#include "loader/testing/test_files.h"

namespace fsload {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::SizeIs;

#if defined(ABSL_HAVE_ADDRESS_SANITIZER)
constexpr bool kWithSanitizer = true;
#else
constexpr bool kWithSanitizer = false;
#endif

// Only a hang comes near it.
constexpr absl::Duration kLongDeadline = absl::Minutes(1);

ConfinedReport LoadFile(const std::string& path,
                        absl::Duration deadline = kLongDeadline) {
  return LoadConfined(
      path,
      [&path](const LoadOptions& options) { return LoadPlugin(path, options); },
      deadline);
}

std::string Hostile(const std::string& name) {
  return "testdata/hostile_" + name + ".so";
}

// Returns `text` with 0x... in place of each hexadecimal number.
std::string HideNumbers(std::string_view text) {
  std::string hidden;
  for (size_t at = 0; at < text.size();) {
    if (text.compare(at, 2, "0x") != 0) {
      hidden += text[at++];
      continue;
    }
    hidden += "0x...";
    at = std::min(text.find_first_not_of("0123456789abcdef", at + 2),
                  text.size());
  }
  return hidden;
}

// All findings as the command prints them, with "0x..." for hexadecimal
// numbers, because addresses differ.
std::vector<std::string> Findings(const ConfinedReport& report) {
  const std::string here = std::filesystem::current_path();
  std::vector<std::string> texts;
  for (const Finding& finding : report.load.findings) {
    std::string full = ToString(finding);
    const size_t place = full.find(" " + here + " ");
    if (place != std::string::npos) {
      full.replace(place + 1, here.size(), "HERE");
    }
    texts.push_back(HideNumbers(full));
  }
  return texts;
}

struct Case {
  const char* plugin;
  std::string finding;
};

class HostilePluginTest : public testing::TestWithParam<Case> {};

// A sanitizer gives each thread a signal stack, and needs descriptors.
bool IsOtherWithSanitizer(std::string_view plugin) {
  return kWithSanitizer && (plugin == "overflows_thread_entry" ||
                            plugin == "takes_descriptors_entry");
}

TEST_P(HostilePluginTest, HasItsOwnFinding) {
  if (IsOtherWithSanitizer(GetParam().plugin)) {
    GTEST_SKIP() << "a sanitizer's process ends in another way";
  }
  const ConfinedReport report = LoadFile(Hostile(GetParam().plugin));
  EXPECT_THAT(Findings(report), ElementsAre(GetParam().finding));
  EXPECT_EQ(report.load.status.code(), absl::StatusCode::kFailedPrecondition);
}

class TellingPluginTest : public testing::TestWithParam<Case> {};

TEST_P(TellingPluginTest, IsVerifiedAllTheSame) {
  const ConfinedReport report = LoadFile(Hostile(GetParam().plugin));
  EXPECT_THAT(Findings(report), ElementsAre(GetParam().finding));
  EXPECT_EQ(report.load.status, absl::OkStatus());
}

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  return info.param.plugin;
}

std::string Crashed(const std::string& phase) {
  return phase +
         " crashed with SIGSEGV (segmentation fault) at address 0x..., in "
         "hostile::Crash()+0x... of the plugin; this would kill the host";
}

std::string CrashedAtExit() {
  return Crashed("its exit handlers") +
         " as it exits; perhaps a handler that the plugin registered with "
         "atexit calls its cleanup, which the host has called before";
}

INSTANTIATE_TEST_SUITE_P(
    Crashes, HostilePluginTest,
    testing::Values(
        Case{"crashes_static", "FSP202: " + Crashed("its static initialisers")},
        Case{"crashes_entry", "FSP202: " + Crashed("TF_InitPlugin")},
        Case{"crashes_free",
             "FSP199: an allocator hook crashed with SIGSEGV "
             "(segmentation fault) at address 0x..., in "
             "hostile::Crash()+0x... "
             "of the plugin; perhaps plugin_memory_allocate and "
             "plugin_memory_free are swapped"},
        Case{"crashes_init", "FSP202: scheme 'hostile': " + Crashed("init")},
        Case{"crashes_cleanup",
             "FSP202: scheme 'hostile': " + Crashed("cleanup")},
        Case{"crashes_exit", "FSP202: " + CrashedAtExit()}),
    NameOf);

std::string Exited(const std::string& phase, const std::string& call) {
  return phase + " called " + call + "; this would end the host";
}

INSTANTIATE_TEST_SUITE_P(
    Exits, HostilePluginTest,
    testing::Values(
        Case{"exits_static",
             "FSP204: " + Exited("its static initialisers", "exit(0)")},
        Case{"exits_entry", "FSP204: " + Exited("TF_InitPlugin", "exit(0)")},
        Case{"exits_init",
             "FSP204: scheme 'hostile': " + Exited("init", "exit(0)")},
        Case{"exits_cleanup",
             "FSP204: scheme 'hostile': " + Exited("cleanup", "exit(0)")},
        Case{"quick_exits_entry",
             "FSP204: " + Exited("TF_InitPlugin", "_exit(0)")},
        Case{"quick_exits_exit",
             "FSP204: " + Exited("its exit handlers", "_exit(0)")},
        Case{"hides_crash_entry",
             "FSP204: " + Exited("TF_InitPlugin", "_exit(0)")}),
    NameOf);

#ifdef __aarch64__
constexpr char kAtOddAddress[] =
    "SIGBUS (bus error) at address 0x..., in hostile::CallData()+0x...";
#else
constexpr char kAtOddAddress[] =
    "SIGSEGV (segmentation fault) at address 0x..., called in "
    "hostile::CallOddAddress()+0x...";
#endif

INSTANTIATE_TEST_SUITE_P(
    OtherDeeds, HostilePluginTest,
    testing::Values(
        Case{"overflows_stack_entry",
             "FSP203: TF_InitPlugin overflowed the stack: SIGSEGV "
             "(segmentation fault) at address 0x..., in "
             "hostile::OverflowStack()+0x... of the plugin; this would kill "
             "the host"},
        Case{"pthread_exits_entry",
             "FSP205: TF_InitPlugin ended the thread that called it; its "
             "caller would never continue"},
        Case{"pthread_exits_cleanup",
             "FSP205: scheme 'hostile': cleanup ended the thread that called "
             "it; its caller would never continue"},
        Case{"overflows_thread_entry",
             "FSP203: TF_InitPlugin crashed with SIGSEGV (segmentation fault), "
             "with no stack left to report it: most likely a thread that it "
             "started overflowed its stack; give that thread a larger one, or "
             "bound its recursion"},
        Case{"calls_data_entry",
             "FSP202: TF_InitPlugin called an address that is not code: "
             "SIGSEGV (segmentation fault) at address 0x..., called in "
             "hostile::CallData()+0x... of the plugin; this would kill the "
             "host"},
        Case{"calls_odd_address_entry",
             "FSP202: TF_InitPlugin called an address that is not code: " +
                 std::string(kAtOddAddress) +
                 " of the plugin; this would kill the host"},
        Case{"takes_descriptors_entry",
             "FSP297: /proc/self/maps cannot be opened: Too many open files; "
             "close unused files, or raise the limit (ulimit -n)"},
        Case{"throws_cleanup",
             "FSP298: scheme 'hostile': cleanup threw an exception; "
             "other hosts, including TensorFlow, would terminate"},
        Case{"throws_free",
             "FSP199: plugin_memory_free: the plugin threw int; "
             "memory from the plugin could not be freed"},
        Case{"throws_entry",
             "FSP101: TF_InitPlugin failed: the plugin threw int; the "
             "plugin's schemes are unknown"},
        Case{"throws_init",
             "FSP201: scheme 'hostile': init failed: the plugin threw "
             "int; the scheme is not registered"},
        Case{"forks_and_hides_entry",
             "FSP208: the plugin left 1 process running, which the check "
             "killed; it would have outlived a host"},
        Case{"closes_descriptors_entry",
             "FSP209: TF_InitPlugin closed or replaced the host's file "
             "descriptors 0, 1, 2 and 3; the host would write to the wrong "
             "files"},
        Case{"handles_signals_entry",
             "FSP210: TF_InitPlugin replaced the host's signal handlers for "
             "SIGSEGV and SIGTERM; they are lost"},
        Case{"crashes_later_entry",
             "FSP202: " + Crashed("a thread that it left running")},
        Case{
            "changes_directory_entry",
            "FSP214: TF_InitPlugin changed the working directory: HERE before, "
            "/ after; the host's relative paths would name different files"},
        Case{"changes_umask_entry",
             "FSP215: TF_InitPlugin changed the umask: 0022 before, 0077 "
             "after; files that the host creates get different modes"},
        Case{"blocks_signals_entry",
             "FSP216: TF_InitPlugin changed the signal mask: none blocked "
             "before, SIGINT blocked after; the host would miss signals, or "
             "get some that it does not expect"},
        Case{"starts_alarm_entry",
             "FSP220: TF_InitPlugin changed the timers: none before, a timer "
             "for SIGALRM after; the host gets signals that it did not ask "
             "for, or misses its own"},
        Case{"prints_megabytes_entry",
             "FSP212: the plugin printed more than 64 KiB, and the rest was "
             "cut off; it would flood a host's log"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Deeds, TellingPluginTest,
    testing::Values(
        Case{"opens_socket_entry",
             "FSP213: TF_InitPlugin called socket(AF_INET), which a check "
             "refuses but a host allows; `fsload check --network` allows "
             "internet sockets"},
        Case{"kills_parent_entry",
             "FSP213: TF_InitPlugin called kill, which a check refuses but a "
             "host allows; `fsload check --no-isolation` allows every call"},
        Case{"changes_environment_entry",
             "FSP217: TF_InitPlugin changed the environment: "
             "FSLOAD_TEST_SETTING; the host and its other libraries would "
             "see changed settings, and a thread calling getenv at that moment "
             "may crash"},
        Case{"changes_rounding_entry",
             "FSP219: TF_InitPlugin changed the floating-point mode: " +
                 HideNumbers(FloatingPointSettings()) + " before, " +
                 HideNumbers(FloatingPointSettings()) +
                 " after; the host computes different results"},
        Case{"replaces_terminate_entry",
             "FSP221: TF_InitPlugin changed the terminate handler: 0x... "
             "before, 0x... after; the host cannot report why it ended"}),
    NameOf);

// Needs the right to, and a system that has other groups.
TEST(ConfinedLoadTest, NoticesAnotherGroup) {
  const ConfinedReport report = LoadFile(Hostile("changes_user_entry"));
  if (report.load.findings.empty()) GTEST_SKIP() << "not root, or no groups";
  EXPECT_THAT(Findings(report),
              ElementsAre(MatchesRegex(
                  "FSP218: TF_InitPlugin changed the user or group: .*group "
                  "0/0/0 before, .*group 0/65534/0 after; the host has "
                  "different privileges from those it was given")));
}

TEST(ConfinedLoadTest, LeavesRoomForManyIdleThreads) {
  const ConfinedReport report = LoadFile(Hostile("starts_threads_entry"));
  EXPECT_THAT(Findings(report), IsEmpty());
}

// It must not look like damaged memory (FSP299).
TEST(ConfinedLoadTest, CutsALongPathInAMessage) {
  std::string folder = std::filesystem::path(NewPath("x")).parent_path();
  while (folder.size() < 3800) folder += "/" + std::string(200, 'x');
  std::filesystem::create_directories(folder);
  const auto load = ConfinedLoad::Start(
      "testdata/memory.so",
      [&folder](const LoadOptions& options) {
        LoadReport report = LoadPlugin("testdata/memory.so", options);
        if (chdir(folder.c_str()) != 0) _exit(1);
        return report;
      },
      kLongDeadline);
  EXPECT_THAT(Findings(load->Finish()),
              ElementsAre(AllOf(HasSubstr("FSP214"), HasSubstr(" bytes)"))));
}

TEST(ConfinedLoadTest, KeepsSocketsWithANetwork) {
  const std::string path = Hostile("opens_socket_entry");
  const auto load = ConfinedLoad::Start(
      path,
      [path](const LoadOptions& options) { return LoadPlugin(path, options); },
      kLongDeadline, ConfinedWork::kLoad, /*network=*/true);
  // It aborts where it gets one.
  EXPECT_THAT(Findings(load->Finish()),
              ElementsAre(HasSubstr("in hostile::OpenSocket()")));
}

TEST(ConfinedLoadTest, CatchesWhatStaticInitialisersThrow) {
  if (kWithSanitizer) GTEST_SKIP() << "nothing unwinds a sanitizer's dlopen";
  EXPECT_THAT(Findings(LoadFile(Hostile("throws_static"))),
              ElementsAre("FSP207: its static initialisers threw int; a host "
                          "that does not catch it dies, and in one that does, "
                          "other threads wait for ever to open a library"));
}

TEST(ConfinedLoadTest, ReturnsAReportOfWhatStaticInitialisersThrow) {
  if (kWithSanitizer) GTEST_SKIP() << "nothing unwinds a sanitizer's dlopen";
  const auto load = [] {
    const LoadReport report = LoadPlugin(Hostile("throws_static"));
    std::fputs(std::string(report.status.message()).c_str(), stderr);
    _exit(0);
  };
  EXPECT_EXIT(load(), testing::ExitedWithCode(0), "initialisers threw int; ");
}

// A sanitizer has its own abort(), with symbols.
TEST(ConfinedLoadTest, NamesThePluginsFunctionThatAborts) {
  const ConfinedReport report = LoadFile(Hostile("aborts_entry"));
  EXPECT_THAT(
      Findings(report),
      ElementsAre(MatchesRegex(
          "FSP202: TF_InitPlugin crashed with SIGABRT \\(aborted\\) .*in "
          "hostile::Abort\\(\\)\\+0x\\.\\.\\. of the plugin; this "
          "would kill the host")));
}

// After the exit handlers the C library walks a list of the linker's.
TEST(ConfinedLoadTest, BlamesWhatTheLinkerRunsLast) {
  if (kWithSanitizer) GTEST_SKIP() << "a sanitizer's child ends before it";
  EXPECT_THAT(Findings(LoadFile(Hostile("crashes_fini"))),
              ElementsAre("FSP202: " + CrashedAtExit()));
  EXPECT_THAT(Findings(LoadFile(Hostile("hangs_fini"), absl::Seconds(1))),
              ElementsAre("FSP206: its exit handlers did not return within 1s, "
                          "so its process was killed; a host would hang"));
  EXPECT_THAT(Findings(LoadFile(Hostile("quick_exits_fini"))),
              ElementsAre("FSP204: its exit handlers called exit(0); "
                          "this would end the host"));
}

TEST(ConfinedLoadTest, LimitsMemory) {
  if (kWithSanitizer) GTEST_SKIP() << "a sanitizer allows no limit";
  const ConfinedReport report = LoadFile(Hostile("eats_memory_entry"));
  EXPECT_THAT(
      Findings(report),
      ElementsAre(
          "FSP101: TF_InitPlugin failed: the plugin threw "
          "std::bad_alloc; the plugin's schemes are unknown",
          MatchesRegex("FSP211: TF_InitPlugin used up [0-9]+ MiB of address "
                       "space; a host would run out of memory")));
}

TEST(ConfinedLoadTest, KillsWhatHangsInEachPhase) {
  const struct {
    const char* point;
    const char* phase;
  } kCases[] = {
      {"static", "FSP206: its static initialisers"},
      {"entry", "FSP206: TF_InitPlugin"},
      {"init", "FSP206: scheme 'hostile': init"},
      {"cleanup", "FSP206: scheme 'hostile': cleanup"},
      {"exit", "FSP206: its exit handlers"},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(each.point);
    const ConfinedReport report =
        LoadFile(Hostile(std::string("hangs_") + each.point), absl::Seconds(1));
    EXPECT_THAT(Findings(report),
                ElementsAre(std::string(each.phase) +
                            " did not return within 1s, so its process was "
                            "killed; a host would hang"));
    EXPECT_EQ(report.load.status.code(), absl::StatusCode::kFailedPrecondition);
  }
}

// The process that a hostile plugin reports it has hidden.
pid_t HiddenProcess(const ConfinedReport& report) {
  constexpr size_t kAfterHidden = 7;
  EXPECT_THAT(report.output, MatchesRegex("hidden [0-9]+\n"));
  return std::atoi(report.output.substr(kAfterHidden).c_str());
}

TEST(ConfinedLoadTest, LeavesNoHiddenProcessBehind) {
  const ConfinedReport report = LoadFile(Hostile("forks_and_hides_entry"));
  EXPECT_EQ(kill(HiddenProcess(report), 0), -1);
}

TEST(ConfinedLoadTest, KillsAHangWithEverythingItStarted) {
  const ConfinedReport report =
      LoadFile(Hostile("forks_and_hangs_entry"), absl::Seconds(1));
  EXPECT_THAT(Findings(report),
              ElementsAre(HasSubstr("FSP206"), HasSubstr("FSP208")));
  EXPECT_EQ(kill(HiddenProcess(report), 0), -1);
}

TEST(ConfinedLoadTest, FindsNothingInARightPlugin) {
  const ConfinedReport report = LoadFile("testdata/memory.so");
  EXPECT_TRUE(report.load.status.ok()) << report.load.status;
  EXPECT_THAT(Findings(report), IsEmpty());
  ASSERT_THAT(report.load.schemes, SizeIs(1));
  EXPECT_EQ(report.load.schemes[0].scheme, "memory");
  EXPECT_TRUE(report.load.schemes[0].registered);
  EXPECT_EQ(report.output, "");
}

// Of a known plugin, fsload sets the variables.
TEST(ConfinedLoadTest, BlamesNoPluginForItsOwnSettings) {
  unsetenv("S3_DISABLE_MULTI_PART_DOWNLOAD");
  const ConfinedReport report = LoadFile("testdata/known_minimal.so");
  EXPECT_TRUE(report.load.status.ok()) << report.load.status;
  EXPECT_THAT(Findings(report), IsEmpty());
}

// The limit on file sizes does not apply to plugins, which are copied.
TEST(ConfinedLoadTest, LoadsALargePlugin) {
  const std::string path = FreshCopy("testdata/memory.so");
  std::filesystem::resize_file(path, 100 << 20);
  const ConfinedReport report = LoadFile(path);
  EXPECT_THAT(Findings(report), IsEmpty());
  EXPECT_EQ(report.load.status, absl::OkStatus());
}

// The second process is reported when it returns, or killed before.
TEST(ConfinedLoadTest, RefusesWhatForksAndReturnsTwice) {
  for (int i = 0; i < 10; ++i) {
    EXPECT_THAT(
        Findings(LoadFile(Hostile("forks_entry"))),
        ElementsAre(AnyOf(
            "FSP208: TF_InitPlugin forked, and the child process returned to "
            "the host too; end the child with _exit",
            HasSubstr("FSP208: the plugin left 1 process running"))));
  }
}

TEST(ConfinedLoadTest, NamesTheUnreleasedEntryOfJanuary2020) {
  EXPECT_THAT(
      Findings(LoadFile("testdata/entry_2020.so")),
      ElementsAre(
          "FSP010: TF_InitPlugin called its first argument as a "
          "function, as in the unreleased interface of January 2020, int "
          "TF_InitPlugin(void* (*)(size_t), TF_FilesystemPluginInfo**): "
          "SIGSEGV (segmentation fault) at address 0x..., called in "
          "TF_InitPlugin+0x... of the plugin; build the plugin against a "
          "tensorflow/c/experimental/filesystem/filesystem_interface.h whose "
          "TF_FilesystemPluginInfo has 32 bytes"));
}

TEST(ConfinedLoadTest, VerifiesNothingByADamagedReport) {
  const ConfinedReport report = LoadFile(Hostile("damages_report_cleanup"));
  EXPECT_EQ(report.load.status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(
      Findings(report),
      ElementsAre(
          "FSP299: the report on the plugin cannot be read; something in the "
          "plugin's process overwrites memory that it does not own; run it "
          "under AddressSanitizer"));
}

TEST(ConfinedLoadTest, PassesOnWhatTheLoadFinds) {
  const ConfinedReport report = LoadFile("/no/such.so");
  EXPECT_EQ(report.load.status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(Findings(report),
              ElementsAre("FSP001: cannot be read: No such file or directory"));
}

TEST(ConfinedLoadTest, KeepsThePluginsOutputApart) {
  const ConfinedReport report = LoadFile(Hostile("prints_a_line_entry"));
  EXPECT_TRUE(report.load.status.ok()) << report.load.status;
  EXPECT_EQ(report.output, "a \033[31mred\033[0m line\n");
  EXPECT_FALSE(report.output_cut);
}

TEST(ConfinedLoadTest, CutsOutputOff) {
  const ConfinedReport report = LoadFile(Hostile("prints_megabytes_entry"));
  EXPECT_EQ(report.output.size(), size_t{64} << 10);
  EXPECT_EQ(report.output.substr(0, 8), "xxxxxxxx");
  EXPECT_TRUE(report.output_cut);
}

TEST(ConfinedLoadTest, SaysHowItConfines) {
  const ConfinedReport report = LoadFile("testdata/memory.so");
  EXPECT_THAT(
      report.confinement,
      ElementsAre(
          "no new privileges", "no core dumps",
          MatchesRegex("[0-9]+ s of CPU time"),
          MatchesRegex("6[4-9] MiB per file"),  // plus the plugin's own size
          MatchesRegex(kWithSanitizer
                           ? "any address space \\(a sanitizer needs more "
                             "than any limit\\)"
                           : "[0-9]+ MiB of address space"),
          MatchesRegex(kWithSanitizer ? "any memory \\(a sanitizer needs more "
                                        "than any limit\\)"
                                      : "[0-9]+ MiB of memory"),
          MatchesRegex("(not available: )?writes to a scratch directory only "
                       "\\(.*\\)"),
          "no capabilities except to read files and to change users",
          MatchesRegex("(not available: )?at most 1024 threads and processes"
                       ".*"),
          MatchesRegex("(not available: )?no sockets, tracing or signals to "
                       "other processes \\(.*\\)")));
}

// The plugin aborts if it is not refused. False if the kernel lacks the means,
// as a line of the report says.
bool Offers(const ConfinedReport& report, const std::string& means) {
  for (const std::string& line : report.confinement) {
    if (line.find("not available: " + means) == 0) return false;
  }
  return true;
}

TEST(ConfinedLoadTest, RefusesSocketsAndSignalsToOthers) {
  for (const char* deed :
       {"opens_socket_entry", "kills_parent_entry", "limits_parent_entry"}) {
    const ConfinedReport report = LoadFile(Hostile(deed));
    if (!Offers(report, "no sockets, tracing or signals to other processes")) {
      GTEST_SKIP() << "no seccomp";
    }
    EXPECT_TRUE(report.load.status.ok()) << deed << report.load.status;
  }
}

TEST(ConfinedLoadTest, RefusesToWriteOutsideTheScratchFolder) {
  const std::string folder = NewPath("outside");
  WriteFile(folder + "/present", "");
  setenv("FSLOAD_TEST_FOLDER", folder.c_str(), 1);
  const ConfinedReport report = LoadFile(Hostile("writes_outside_entry"));
  unsetenv("FSLOAD_TEST_FOLDER");
  if (!Offers(report, "writes to a scratch directory only")) {
    GTEST_SKIP() << "no Landlock";
  }
  EXPECT_TRUE(report.load.status.ok()) << report.load.status;
  EXPECT_FALSE(std::ifstream(folder + "/written").good());
}

TEST(ConfinedLoadTest, LoadsSeveralAtOnce) {
  std::vector<std::unique_ptr<ConfinedLoad>> loads;
  for (const char* name : {"hangs_init", "crashes_init"}) {
    const std::string path = Hostile(name);
    loads.push_back(ConfinedLoad::Start(
        path,
        [path](const LoadOptions& options) {
          return LoadPlugin(path, options);
        },
        absl::Seconds(2)));
  }
  EXPECT_THAT(Findings(loads[1]->Finish()), ElementsAre(HasSubstr("FSP202")));
  EXPECT_THAT(Findings(loads[0]->Finish()), ElementsAre(HasSubstr("FSP206")));
}

}  // namespace
}  // namespace fsload
