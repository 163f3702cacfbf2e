// Mutants that are right in what they answer, and change the process that they
// run in.
#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"
#include "testdata/posix/ops.h"

namespace mutants {
namespace {

void Ignore(int) {}

// Does `act` after the right operation, or after one that failed.
template <void (*act)()>
void Then(TF_Status*) {
  act();
}
template <void (*act)()>
void IfItFailed(TF_Status* status) {
  if (!IsOk(status)) act();
}

// --- The working directory ---

void OpensInDirectory(OpenReadCall call) {
  Ignore(chdir(ParentOf(call.path).c_str()));
  call.Right();
}

int ListsInDirectory(const TF_Filesystem* fs, const char* path, char*** entries,
                     TF_Status* status) {
  Ignore(chdir(path));
  return g_right.fs.get_children(fs, path, entries, status);
}

void GoesToRoot() { Ignore(chdir("/")); }

// The directory that this process was in.
class InDirectory {
 public:
  explicit InDirectory(const char* path) : old_(open(".", O_PATH | O_CLOEXEC)) {
    Ignore(chdir(path));
  }
  ~InDirectory() {
    Ignore(fchdir(old_));
    close(old_);
  }

 private:
  const int old_;
};

int ListsInDirectoryAndBack(const TF_Filesystem* fs, const char* path,
                            char*** entries, TF_Status* status) {
  const InDirectory in(path);
  return g_right.fs.get_children(fs, path, entries, status);
}

void StatsInDirectoryAndBack(const TF_Filesystem* fs, const char* path,
                             TF_FileStatistics* stats, TF_Status* status) {
  const InDirectory in(ParentOf(path).c_str());
  g_right.fs.stat(fs, path, stats, status);
}

// --- The umask ---

void AllowsAll() { umask(0); }
void ForbidsOthers() { umask(0077); }

template <typename Call>
void WithoutUmask(Call call) {
  const mode_t old = umask(0);
  call.Right();
  umask(old);
}

// --- Signals ---

void BlocksInterrupts() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void IgnoresPipes() { signal(SIGPIPE, SIG_IGN); }
void IgnoresChildren() { signal(SIGCHLD, SIG_IGN); }
void SetsAlarm() { alarm(3600); }

// --- Settings of the process ---

void SetsLocale() { std::setlocale(LC_ALL, ""); }
void SetsTimeZone() { setenv("TZ", "UTC", 1); }
void NamesThread() { prctl(PR_SET_NAME, "reader"); }
void RoundsDown() { fesetround(FE_DOWNWARD); }
void LowersPriority() { Ignore(setpriority(PRIO_PROCESS, 0, 5)); }

void SetsLimit() {
  const rlimit none = {0, RLIM_INFINITY};
  setrlimit(RLIMIT_CORE, &none);
  rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  --limit.rlim_cur;
  setrlimit(RLIMIT_NOFILE, &limit);
}

char* TranslatesForChildren(const TF_Filesystem* fs, const char* uri) {
  setenv("FSLOAD_TRANSLATED", uri, 1);
  return posix_plugin::TranslateName(fs, uri);
}

// --- Descriptors ---

void ClosesInput() { close(STDIN_FILENO); }
void WritesWithoutWaiting() {
  fcntl(STDERR_FILENO, F_SETFL, fcntl(STDERR_FILENO, F_GETFL) | O_NONBLOCK);
}

// Opens the file with a descriptor that programs inherit: the one that is free.
template <typename Call>
void OpensInherited(Call call) {
  const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(next);
  call.Right();
  if (IsOk(call.status)) fcntl(next, F_SETFD, 0);
}

int ListsInherited(const TF_Filesystem* fs, const char* path, char*** entries,
                   TF_Status* status) {
  const int directory = open(path, O_RDONLY | O_DIRECTORY);
  const int count = g_right.fs.get_children(fs, path, entries, status);
  if (directory >= 0) close(directory);
  return count;
}

void CopiesInherited(MoveCall call) {
  const int source = open(call.src, O_RDONLY);
  call.Right();
  if (source >= 0) close(source);
}

}  // namespace

Changes ProcessChanges() {
  return {
      {"posix.open-changes-directory",
       Opens<&Fs::new_random_access_file, OpensInDirectory>},
      {"posix.list-changes-directory",
       Put<&Fs::get_children, ListsInDirectory>},
      {"posix.failed-delete-tree-changes-directory",
       After<&Fs::delete_recursively, IfItFailed<GoesToRoot>>},
      {"posix.list-changes-directory-for-a-moment",
       Put<&Fs::get_children, ListsInDirectoryAndBack>},
      {"posix.stat-changes-directory-for-a-moment",
       Put<&Fs::stat, StatsInDirectoryAndBack>},
      {"posix.create-dir-changes-umask",
       After<&Fs::create_dir, Then<AllowsAll>>},
      {"posix.new-file-changes-umask",
       After<&Fs::new_writable_file, Then<ForbidsOthers>>},
      {"posix.create-dirs-changes-umask-for-a-moment",
       OnPath<&Fs::recursively_create_dir, WithoutUmask<PathCall>>},
      {"posix.copy-changes-umask-for-a-moment",
       Moves<&Fs::copy_file, WithoutUmask<MoveCall>>},
      {"posix.new-file-changes-umask-for-a-moment",
       Opens<&Fs::new_writable_file, WithoutUmask<OpenWriteCall>>},
      {"posix.sync-blocks-signals", After<&Out::sync, Then<BlocksInterrupts>>},
      {"posix.append-ignores-sigpipe", After<&Out::append, Then<IgnoresPipes>>},
      {"posix.failed-open-ignores-sigchld",
       After<&Fs::new_random_access_file, IfItFailed<IgnoresChildren>>},
      {"posix.exists-sets-alarm", After<&Fs::path_exists, Then<SetsAlarm>>},
      {"posix.list-sets-locale", After<&Fs::get_children, Then<SetsLocale>>},
      {"posix.stat-sets-time-zone", After<&Fs::stat, Then<SetsTimeZone>>},
      {"posix.translate-sets-environment",
       Put<&Fs::translate_name, TranslatesForChildren>},
      {"posix.read-names-thread", After<&In::read, Then<NamesThread>>},
      {"posix.is-directory-sets-rounding",
       After<&Fs::is_directory, Then<RoundsDown>>},
      {"posix.copy-lowers-priority",
       After<&Fs::copy_file, Then<LowersPriority>>},
      {"posix.rename-sets-limit", After<&Fs::rename_file, Then<SetsLimit>>},
      {"posix.size-closes-standard-input",
       After<&Fs::get_file_size, Then<ClosesInput>>},
      {"posix.delete-file-unblocks-standard-error",
       After<&Fs::delete_file, Then<WritesWithoutWaiting>>},
      {"posix.open-is-inherited",
       Opens<&Fs::new_random_access_file, OpensInherited<OpenReadCall>>},
      {"posix.new-file-is-inherited",
       Opens<&Fs::new_writable_file, OpensInherited<OpenWriteCall>>},
      {"posix.append-is-inherited",
       Opens<&Fs::new_appendable_file, OpensInherited<OpenWriteCall>>},
      {"posix.list-is-inherited-for-a-moment",
       Put<&Fs::get_children, ListsInherited>},
      {"posix.copy-is-inherited-for-a-moment",
       Moves<&Fs::copy_file, CopiesInherited>},
  };
}

}  // namespace mutants
