// Mutants that keep in static variables what belongs to a call or to a file:
// right as long as there is one thread, or one open file.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cstring>
#include <mutex>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"
#include "testdata/plugin_memory.h"
#include "testdata/posix/ops.h"

namespace mutants {
namespace {

// --- Between threads: results ---

void StatSharesEntry(const TF_Filesystem* fs, const char* path,
                     TF_FileStatistics* stats, TF_Status* status) {
  static TF_FileStatistics entry;
  g_right.fs.stat(fs, path, &entry, status);
  if (IsOk(status)) *stats = entry;
}

int64_t SizeSharesEntry(const TF_Filesystem* fs, const char* path,
                        TF_Status* status) {
  static volatile int64_t size;
  size = g_right.fs.get_file_size(fs, path, status);
  return IsOk(status) ? static_cast<int64_t>(size) : -1;
}

void ExistsSharesCode(PathCall call) {
  static volatile TF_Code code;
  call.Right();
  code = TF_GetCode(call.status);
  TF_SetStatus(call.status, code, code == TF_OK ? "" : "no such file");
}

char* TranslateSharesBuffer(const TF_Filesystem* fs, const char* uri) {
  static char buffer[8192];
  char* const path = posix_plugin::TranslateName(fs, uri);
  snprintf(buffer, sizeof(buffer), "%s", path);
  plugin_memory::Free(path);
  return plugin_memory::CopyString(buffer);
}

// Locked, so that the array itself stays whole.
int ListSharesNames(const TF_Filesystem* fs, const char* path, char*** entries,
                    TF_Status* status) {
  static auto* const mutex = new std::mutex;
  static auto* const names = new Names;
  char** found = nullptr;
  const int count = g_right.fs.get_children(fs, path, &found, status);
  if (count < 0) return count;
  {
    const std::lock_guard<std::mutex> lock(*mutex);
    *names = TakeNames(found, count);
  }
  const std::lock_guard<std::mutex> lock(*mutex);
  *entries = plugin_memory::CopyStrings(*names);
  return static_cast<int>(names->size());
}

volatile uint64_t g_length;

void NotesLength(OpenRegionCall call) {
  call.Right();
  if (IsOk(call.status)) g_length = g_right.region.length(call.file);
}

uint64_t LastLength(const TF_ReadOnlyMemoryRegion*) { return g_length; }

// --- Between threads: arguments ---

// A buffer of the size of a path.
const char* Kept(char (&buffer)[4096], const char* path) {
  snprintf(buffer, sizeof(buffer), "%s", path);
  return buffer;
}

template <typename Call>
void SharesPath(Call call) {
  static char path[4096];
  call.path = Kept(path, call.path);
  call.Right();
}

void SharesPaths(MoveCall call) {
  static char src[4096];
  static char dst[4096];
  call.src = Kept(src, call.src);
  call.dst = Kept(dst, call.dst);
  call.Right();
}

void AppendSharesBuffer(AppendCall call) {
  static char buffer[1 << 16];
  if (call.n <= sizeof(buffer)) {
    std::memcpy(buffer, call.buffer, call.n);
    call.buffer = buffer;
  }
  call.Right();
}

// All copies into one directory are first written to one file.
void CopySharesTemporary(MoveCall call) {
  const char* const dst = call.dst;
  if (KindOf(call.fs, call.src) != Kind::kFile ||
      KindOf(call.fs, dst) == Kind::kDirectory ||
      std::string(call.src) == dst) {
    return call.Right();
  }
  const std::string temporary = Join(ParentOf(dst), ".copy");
  call.dst = temporary.c_str();
  call.Right();
  if (IsOk(call.status)) {
    g_right.fs.rename_file(call.fs, temporary.c_str(), dst, call.status);
  }
}

// --- Between open files ---

// Appends where the last append to any file ended.
int64_t g_position;

void NotesPosition(OpenWriteCall call) {
  if (!OpenAndRemember(call)) return;
  const OwnStatus own;
  g_position = g_right.out.tell(call.file, own.get());
}

void AppendsAtPosition(AppendCall call) {
  const FileState& state = StateOf(call.file->plugin_file);
  const int file = open(state.path.c_str(), O_WRONLY | O_CLOEXEC);
  const ssize_t written = pwrite(file, call.buffer, call.n, g_position);
  close(file);
  if (written != static_cast<ssize_t>(call.n)) return call.Right();
  g_position += written;
  Succeed(call.status);
}

int64_t TellsPosition(const TF_WritableFile*, TF_Status* status) {
  Succeed(status);
  return g_position;
}

void CountsAppended(AppendCall call) {
  call.Right();
  if (IsOk(call.status)) g_position += call.n;
}

constexpr auto kNotePositions =
    All<Opens<&Fs::new_writable_file, NotesPosition>,
        Opens<&Fs::new_appendable_file, NotesPosition>>;

// Files are entries of a table in which only the last ones have a place.
constexpr uint64_t kSlots = 16;
FileState g_slots[kSlots];
uint64_t g_opened;

template <typename File>
void TakesSlot(OpenCall<File> call) {
  if (!OpenAndRemember(call)) return;
  FileState& state = StateOf(*reinterpret_cast<void**>(call.file));
  state.number = g_opened++ % kSlots;
  g_slots[state.number] = state;
  g_slots[state.number].bytes.clear();
}

int64_t ReadsSlot(ReadCall call) {
  const FileState& slot = g_slots[StateOf(call.file->plugin_file).number];
  if (slot.path == StateOf(call.file->plugin_file).path) return call.Right();
  TF_RandomAccessFile other = {};
  g_right.fs.new_random_access_file(slot.fs, slot.path.c_str(), &other,
                                    call.status);
  if (!IsOk(call.status)) return -1;
  const int64_t count =
      g_right.in.read(&other, call.offset, call.n, call.buffer, call.status);
  g_right.in.cleanup(&other);
  return count;
}

const void* SlotData(const TF_ReadOnlyMemoryRegion* region) {
  const FileState& own = StateOf(region->plugin_memory_region);
  FileState& slot = g_slots[own.number];
  if (slot.path == own.path) return g_right.region.data(region);
  slot.bytes = ReadFile(slot.fs, slot.path);
  slot.bytes.resize(g_right.region.length(region));
  return slot.bytes.data();
}

// Buffers until the file is closed.
void AppendsToSlot(AppendCall call) {
  g_slots[StateOf(call.file->plugin_file).number].bytes.append(call.buffer,
                                                               call.n);
  Succeed(call.status);
}

int64_t TellsSlot(const TF_WritableFile* file, TF_Status* status) {
  const int64_t start = g_right.out.tell(file, status);
  return start + g_slots[StateOf(file->plugin_file).number].bytes.size();
}

void WritesSlot(const TF_WritableFile* file, TF_Status* status) {
  std::string bytes;
  bytes.swap(g_slots[StateOf(file->plugin_file).number].bytes);
  g_right.out.append(file, bytes.data(), bytes.size(), status);
}

void ClosesSlot(const TF_WritableFile* file, TF_Status* status) {
  WritesSlot(file, status);
  if (!IsOk(status)) return;
  g_right.out.close(file, status);
}

// All writes go to the file that was opened last.
std::string g_last;

void NotesLast(OpenWriteCall call) {
  if (OpenAndRemember(call)) g_last = call.path;
}

void AppendsToLast(AppendCall call) {
  const FileState& state = StateOf(call.file->plugin_file);
  if (g_last == state.path) return call.Right();
  const int file = open(g_last.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return call.Right();
  const ssize_t written = write(file, call.buffer, call.n);
  close(file);
  if (written != static_cast<ssize_t>(call.n)) return call.Right();
  Succeed(call.status);
}

}  // namespace

Changes SharingChanges() {
  return {
      {"posix.stat-shares-entry", Put<&Fs::stat, StatSharesEntry>},
      {"posix.size-shares-entry", Put<&Fs::get_file_size, SizeSharesEntry>},
      {"posix.exists-shares-code", OnPath<&Fs::path_exists, ExistsSharesCode>},
      {"posix.translate-shares-buffer",
       Put<&Fs::translate_name, TranslateSharesBuffer>},
      {"posix.list-shares-names", Put<&Fs::get_children, ListSharesNames>},
      {"posix.region-shares-length",
       All<Opens<&Fs::new_read_only_memory_region_from_file, NotesLength>,
           Put<&Region::length, LastLength>>},
      {"posix.open-shares-path",
       Opens<&Fs::new_random_access_file, SharesPath<OpenReadCall>>},
      {"posix.new-file-shares-path",
       Opens<&Fs::new_writable_file, SharesPath<OpenWriteCall>>},
      {"posix.create-dir-shares-path",
       OnPath<&Fs::create_dir, SharesPath<PathCall>>},
      {"posix.delete-file-shares-path",
       OnPath<&Fs::delete_file, SharesPath<PathCall>>},
      {"posix.rename-shares-paths", Moves<&Fs::rename_file, SharesPaths>},
      {"posix.copy-shares-paths", Moves<&Fs::copy_file, SharesPaths>},
      {"posix.copy-shares-temporary",
       Moves<&Fs::copy_file, CopySharesTemporary>},
      {"posix.append-shares-buffer", Appends<AppendSharesBuffer>},
      {"posix.append-shares-position",
       All<kNotePositions, Appends<AppendsAtPosition>,
           Put<&Out::tell, TellsPosition>>},
      {"posix.tell-shares-position",
       All<kNotePositions, Appends<CountsAppended>,
           Put<&Out::tell, TellsPosition>>},
      {"posix.append-to-last-opened",
       All<Opens<&Fs::new_writable_file, NotesLast>,
           Opens<&Fs::new_appendable_file, NotesLast>, Appends<AppendsToLast>>},
      {"posix.read-of-16-files-at-most",
       All<Opens<&Fs::new_random_access_file, TakesSlot<TF_RandomAccessFile>>,
           Reads<ReadsSlot>>},
      {"posix.region-of-16-files-at-most",
       All<Opens<&Fs::new_read_only_memory_region_from_file,
                 TakesSlot<TF_ReadOnlyMemoryRegion>>,
           Put<&Region::data, SlotData>>},
      {"posix.append-to-16-files-at-most",
       All<Opens<&Fs::new_writable_file, TakesSlot<TF_WritableFile>>,
           Opens<&Fs::new_appendable_file, TakesSlot<TF_WritableFile>>,
           Appends<AppendsToSlot>, Put<&Out::tell, TellsSlot>,
           Put<&Out::flush, WritesSlot>, Put<&Out::sync, WritesSlot>,
           Put<&Out::close, ClosesSlot>>},
  };
}

}  // namespace mutants
