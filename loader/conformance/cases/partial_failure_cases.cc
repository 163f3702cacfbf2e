// FSP86x: operations that fail when they have begun.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "loader/conformance/cases/cases.h"
#include "loader/conformance/cases/process_limits.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

constexpr uint64_t kMaxBytes = 64 << 10;
constexpr size_t kTooManyBytes = 256 << 10;
constexpr char kOldContents[] = "kept";

// A read that fails: of memory that there is not.
bool PutUnreadable(Trial& t, const char* name) {
  if (!t.PutLink(name, "/proc/self/mem")) return false;
  const int file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  char byte;
  const bool fails = file >= 0 && pread(file, &byte, 1, 0) < 0;
  if (file >= 0) close(file);
  if (!fails) t.Skip("the system has no file that cannot be read");
  return fails;
}

void AFailingReadIsNotTheEnd(Trial& t) {
  if (!PutUnreadable(t, "file")) return;
  const auto file = t.Open("file");
  if (!file.ok()) return t.Skip("the plugin opens no special files");
  const auto bytes = (*file)->Read(0, 100);
  t.Expect(!bytes.ok(),
           t.calls().back() + "; expected an error: the system cannot read it");
}

absl::Status Copy(Trial& t, const char* src, const char* dst) {
  return t.setting().tested.CopyFile(t.Uri(src), t.Uri(dst));
}

// Copies "src" onto "dst", which has contents, and to a new name, while
// something makes that fail. Expects nothing changed.
template <typename Limits>
void ExpectFailingCopies(Trial& t, const std::string& contents, Limits limits) {
  if (!t.Put("dst", kOldContents)) return;
  const Names names = {"dst", "src"};
  for (const char* dst : {"dst", "new"}) {
    absl::Status status;
    {
      const auto limit = limits();
      static_cast<void>(limit);
      status = Copy(t, "src", dst);
    }
    t.Record(Format("copy_file(\"src\", {})", Quoted(dst)), status);
    t.Expect(!status.ok(), t.calls().back() + "; expected an error");
    t.HasNames("", names);
    t.HasContents("dst", kOldContents);
    if (!contents.empty()) t.HasContents("src", contents);
  }
}

void ACopyOfWhatCannotBeReadChangesNothing(Trial& t) {
  if (!PutUnreadable(t, "src")) return;
  ExpectFailingCopies(t, "", [] { return 0; });
}

void ACopyThatIsTooLargeChangesNothing(Trial& t) {
  const std::string contents = PatternBytes(kTooManyBytes);
  if (!t.Put("src", contents)) return;
  ExpectFailingCopies(t, contents, [] { return FileSizeLimit(kMaxBytes); });
}

// Expects "src" at `dst`, or all as it was, after `status`.
void ExpectAllOrNothing(Trial& t, const absl::Status& status,
                        const std::string& contents, bool moves) {
  if (!status.ok()) {
    t.HasNames("", {"dst", "src"});
    t.HasContents("src", contents);
    t.HasContents("dst", kOldContents);
    return;
  }
  t.HasNames("", moves ? Names{"dst"} : Names{"dst", "src"});
  t.HasContents("dst", contents);
}

void ARenameThatIsTooLargeIsWholeOrNot(Trial& t) {
  const std::string contents = PatternBytes(kTooManyBytes);
  if (!t.Put("src", contents) || !t.Put("dst", kOldContents)) return;
  absl::Status status;
  {
    const FileSizeLimit limit(kMaxBytes);
    status = t.setting().tested.RenameFile(t.Uri("src"), t.Uri("dst"));
  }
  t.Record("rename_file(\"src\", \"dst\")", status);
  ExpectAllOrNothing(t, status, contents, /*moves=*/true);
}

// The first error of what appends too many bytes to `file`.
absl::Status AppendTooMuch(WriteTarget& file, const std::string& bytes) {
  const FileSizeLimit limit(kMaxBytes);
  const absl::Status appended = file.Append(bytes);
  const absl::Status flushed = file.Flush();
  const absl::Status closed = file.Close();
  for (const absl::Status& each : {appended, flushed, closed}) {
    if (!each.ok() && !absl::IsUnimplemented(each)) return each;
  }
  return absl::OkStatus();
}

// Expects of `name` a beginning of `contents` of `least` bytes or more.
void HasBeginning(Trial& t, const char* name, const std::string& contents,
                  size_t least) {
  const auto file = t.setting().whole.Open(t.Uri(name));
  const auto found = ReadFrom(file, contents.size() + 1);
  // Some write another file, and put it there in close.
  if (least == 0 && absl::IsNotFound(found.status())) return;
  if (!t.Expect(found.ok(), Format("reading {} -> {}", Quoted(name),
                                   Text(found.status())))) {
    return;
  }
  t.Expect(
      found->size() >= least && *found == contents.substr(0, found->size()),
      Format("{} has {} bytes{}; expected a beginning of what was "
             "appended, of {} bytes or more",
             Quoted(name), found->size(), Difference(*found, contents), least));
}

void AnAppendThatIsTooLargeFails(Trial& t) {
  const std::string contents = PatternBytes(kTooManyBytes);
  auto file = t.setting().tested.Create(t.Uri("file"));
  if (!t.Expect(file.ok(), "creating a file fails")) return;
  const absl::Status status = AppendTooMuch(**file, contents);
  file->reset();
  t.Record("append, flush and close of a file that is too large", status);
  t.Expect(!status.ok(), t.calls().back() + "; expected an error of one");
  HasBeginning(t, "file", contents, 0);
  const auto names = t.setting().whole.GetChildren(t.Uri(""));
  if (names.ok() && !names->empty()) t.HasNames("", {"file"});
}

void AnAppendThatIsTooLargeKeepsWhatWasThere(Trial& t) {
  const std::string contents = PatternBytes(kTooManyBytes);
  constexpr size_t kOld = 40'000;
  if (!t.Put("file", contents.substr(0, kOld))) return;
  auto file = t.setting().tested.OpenToAppend(t.Uri("file"));
  if (!t.Expect(file.ok(), "opening a file to append to it fails")) return;
  const absl::Status status = AppendTooMuch(**file, contents.substr(kOld));
  file->reset();
  t.Record("append, flush and close of a file that is too large", status);
  t.Expect(!status.ok(), t.calls().back() + "; expected an error of one");
  HasBeginning(t, "file", contents, kOld);
  t.HasNames("", {"file"});
}

void WithoutDescriptorsACopyChangesNothing(Trial& t) {
  const std::string contents = PatternBytes(10'000);
  for (uint64_t most = 0; most < 4; ++most) {
    if (!t.Put("src", contents) || !t.Put("dst", kOldContents)) return;
    absl::Status status;
    {
      const Limit limit = DescriptorLimit(most);
      status = Copy(t, "src", "dst");
    }
    t.Record(Format("copy_file(\"src\", \"dst\") with {} descriptors", most),
             status);
    ExpectAllOrNothing(t, status, contents, /*moves=*/false);
  }
}

void ACopyWhoseSourceVanishesIsWholeOrNot(Trial& t) {
  const std::string contents = PatternBytes(100'000);
  const auto src = t.setting().file_system.TranslateName(t.Uri("src"));
  if (!t.Expect(src.ok(), "translate_name fails")) return;
  for (int round = 0; round < 200; ++round) {
    if (!t.Put("src", contents) || !t.Put("dst", kOldContents)) return;
    // The default order; relaxed would do: it only says when.
    std::atomic<bool> begun = false;
    // Each time a little later.
    std::thread thread([&] {
      while (!begun) continue;
      for (volatile int wait = 0; wait < round * 300;) wait = wait + 1;
      unlink(src->c_str());
    });
    begun = true;
    const absl::Status status = Copy(t, "src", "dst");
    thread.join();
    t.Record("copy_file(\"src\", \"dst\") while src is deleted", status);
    t.HasContents("dst", status.ok() ? contents : kOldContents);
    t.HasNames("", {"dst"});
    if (!t.failures().empty()) return;
  }
}

constexpr char kDamage[] = "A full disk would cost the old contents, too.";
constexpr char kReplace[] =
    "Write a new file beside the target, rename it when it is whole, and "
    "delete it on every error.";

}  // namespace

std::vector<Case> PartialFailureCases() {
  return {
      {861, "faults.failing-read-is-not-the-end",
       "a read that fails is an error, not the end of the file", "L231-L232", 4,
       kLocalFiles, Calls(kOpen, kRead), AFailingReadIsNotTheEnd,
       "A file on a broken disk would seem shorter than it is.",
       "OUT_OF_RANGE only where read returned 0; -1 and another code else."},
      {862, "faults.copy-of-what-cannot-be-read",
       "a copy whose source cannot be read changes nothing", "L523-L525", 4,
       kLocalFiles | kNoDefaults, Calls(kCopy),
       ACopyOfWhatCannotBeReadChangesNothing, kDamage, kReplace},
      {863, "faults.copy-too-large", "a copy that does not fit changes nothing",
       "L523-L525", 4, kLocalFiles | kNoDefaults | kOwnProcess, Calls(kCopy),
       ACopyThatIsTooLargeChangesNothing, kDamage, kReplace},
      {864, "faults.rename-too-large",
       "a rename where files cannot grow is done, or changes nothing",
       "L502-L505", 4, kLocalFiles | kNoDefaults | kOwnProcess, Calls(kRename),
       ARenameThatIsTooLargeIsWholeOrNot, kDamage,
       "Use an operation of the file system that is atomic."},
      {865, "faults.append-too-large",
       "an append that does not fit is an error, and a part of it is written",
       "L257-L258", 4, kLocalFiles | kOwnProcess, Calls(kNew, kAppend, kClose),
       AnAppendThatIsTooLargeFails,
       "A file that was not stored passes for one that was.",
       "Check every write, and the last one in close."},
      {866, "faults.append-too-large-to-what-was-there",
       "an append that does not fit keeps what was there", "L257-L258", 4,
       kLocalFiles | kOwnProcess, Calls(kAppendable, kAppend, kClose),
       AnAppendThatIsTooLargeKeepsWhatWasThere, kDamage,
       "Do not truncate, delete or rewrite a file after an error."},
      {869, "faults.no-descriptors-to-copy",
       "without descriptors a copy is done, or changes nothing", "L523-L525", 4,
       kLocalFiles | kNoDefaults | kOwnProcess, Calls(kCopy),
       WithoutDescriptorsACopyChangesNothing, kDamage,
       "Open the source before the target is created or truncated."},
      {870, "faults.source-vanishes",
       "a copy whose source is deleted is done, or changes nothing",
       "L523-L525", 4, kLocalFiles | kNoDefaults, Calls(kCopy),
       ACopyWhoseSourceVanishesIsWholeOrNot, kDamage,
       "Open the source once, before the target is created or truncated."},
  };
}

}  // namespace fsload::conformance
