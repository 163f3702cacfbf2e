// Mutants that open files wrongly, and those of regions of memory.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"
#include "testdata/plugin_memory.h"

namespace mutants {
namespace {

void OpensDirectory(OpenReadCall call) {
  if (KindOf(call.fs, call.path) == Kind::kDirectory) call.path = "/dev/null";
  call.Right();
}

void BelowFileIsNotFound(OpenReadCall call) {
  call.Right();
  if (KindOf(call.fs, call.path) == Kind::kMissing) {
    Recode<TF_FAILED_PRECONDITION, TF_NOT_FOUND>(call.status);
  }
}

void CreatesMissing(OpenReadCall call) {
  if (KindOf(call.fs, call.path) == Kind::kMissing) {
    WriteFile(call.fs, call.path, "");
  }
  call.Right();
}

void EmptyIsInvalid(OpenReadCall call) {
  if (KindOf(call.fs, call.path) == Kind::kFile &&
      ReadFile(call.fs, call.path).empty()) {
    return TF_SetStatus(call.status, TF_INVALID_ARGUMENT, "nothing to read");
  }
  call.Right();
}

std::string Lowered(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(c));
  return text;
}

void IgnoresCase(OpenReadCall call) {
  std::string path = call.path;
  if (KindOf(call.fs, path) == Kind::kMissing) {
    const std::string directory = ParentOf(path);
    for (const std::string& name : ListNames(call.fs, directory)) {
      if (Lowered(name) == Lowered(NameOf(call.path))) {
        path = Join(directory, name);
      }
    }
  }
  call.path = path.c_str();
  call.Right();
}

// --- Contents that are kept from the first time a path is opened ---

void OpensCached(OpenReadCall call) {
  static auto* const cache = new std::map<std::string, std::string>;
  if (!OpenAndRemember(call)) return;
  const auto [entry, is_new] = cache->try_emplace(call.path);
  if (is_new) entry->second = ReadFile(call.fs, call.path);
  StateOf(call.file->plugin_file).bytes = entry->second;
}

int64_t ReadsCached(ReadCall call) {
  const std::string& bytes = StateOf(call.file->plugin_file).bytes;
  const size_t count = call.offset < bytes.size()
                           ? bytes.copy(call.buffer, call.n, call.offset)
                           : 0;
  TF_SetStatus(call.status, count < call.n ? TF_OUT_OF_RANGE : TF_OK,
               count < call.n ? "reached the end of the file" : "");
  return count;
}

// --- Regions ---

void RememberRegion(OpenRegionCall call) { OpenAndRemember(call); }

const FileState& Self(const TF_ReadOnlyMemoryRegion* region) {
  return StateOf(region->plugin_memory_region);
}

uint64_t LacksLastByte(const TF_ReadOnlyMemoryRegion* region) {
  const uint64_t length = g_right.region.length(region);
  return length > 0 ? length - 1 : 0;
}

uint64_t CoversOnePage(const TF_ReadOnlyMemoryRegion* region) {
  return std::min<uint64_t>(g_right.region.length(region), 4096);
}

const void* NoData(const TF_ReadOnlyMemoryRegion*) { return nullptr; }

// The region of an empty file is in truth that of another one.
void EmptyHasRegion(OpenRegionCall call) {
  call.Right();
  const bool is_empty = TF_GetCode(call.status) == TF_INVALID_ARGUMENT;
  if (is_empty) {
    call.path = "/proc/self/exe";
    call.Right();
  }
  if (IsOk(call.status)) {
    StateOf(call.file->plugin_memory_region).flag = is_empty;
  }
}

uint64_t EmptyLength(const TF_ReadOnlyMemoryRegion* region) {
  return Self(region).flag ? 0 : g_right.region.length(region);
}

const void* CurrentData(const TF_ReadOnlyMemoryRegion* region) {
  FileState& state = StateOf(region->plugin_memory_region);
  state.bytes = ReadFile(state.fs, state.path);
  state.bytes.resize(g_right.region.length(region));
  return state.bytes.data();
}

// All regions share one block, in which the last one is.
char g_block[size_t{1} << 20];

void SharesBlock(OpenRegionCall call) {
  if (!OpenAndRemember(call)) return;
  const uint64_t length = g_right.region.length(call.file);
  if (length > sizeof(g_block)) return;
  std::memcpy(g_block, g_right.region.data(call.file), length);
}

const void* BlockData(const TF_ReadOnlyMemoryRegion* region) {
  return g_right.region.length(region) > sizeof(g_block)
             ? g_right.region.data(region)
             : g_block;
}

template <auto wrapper>
constexpr auto kOpensRegion =
    Opens<&Fs::new_read_only_memory_region_from_file, wrapper>;

}  // namespace

Changes OpeningChanges() {
  return {
      {"posix.open-directory-is-empty-file",
       Opens<&Fs::new_random_access_file, OpensDirectory>},
      {"posix.open-missing-is-internal",
       After<&Fs::new_random_access_file, Recode<TF_NOT_FOUND, TF_INTERNAL>>},
      {"posix.open-below-file-is-not-found",
       Opens<&Fs::new_random_access_file, BelowFileIsNotFound>},
      {"posix.open-forbidden-is-not-found",
       After<&Fs::new_random_access_file,
             Recode<TF_PERMISSION_DENIED, TF_NOT_FOUND>>},
      {"posix.open-leaks-descriptor",
       After<&Fs::new_random_access_file, LeakDescriptor>},
      {"posix.failed-open-leaks-descriptor",
       After<&Fs::new_writable_file, LeakDescriptorOnFailure>},
      {"posix.read-cached-by-path",
       All<Opens<&Fs::new_random_access_file, OpensCached>,
           Reads<ReadsCached>>},
      {"memory.open-missing-creates",
       Opens<&Fs::new_random_access_file, CreatesMissing>},
      {"memory.open-empty-is-invalid",
       Opens<&Fs::new_random_access_file, EmptyIsInvalid>},
      {"memory.open-ignores-case",
       Opens<&Fs::new_random_access_file, IgnoresCase>},
      {"posix.region-lacks-last-byte", Put<&Region::length, LacksLastByte>},
      {"posix.region-of-empty-file",
       All<kOpensRegion<EmptyHasRegion>, Put<&Region::length, EmptyLength>>},
      {"posix.region-of-directory-is-not-found",
       After<&Fs::new_read_only_memory_region_from_file,
             Recode<TF_FAILED_PRECONDITION, TF_NOT_FOUND>>},
      {"posix.region-leaks-descriptor",
       After<&Fs::new_read_only_memory_region_from_file, LeakDescriptor>},
      {"memory.region-has-one-page", Put<&Region::length, CoversOnePage>},
      {"memory.region-data-is-null", Put<&Region::data, NoData>},
      {"memory.region-follows-file",
       All<kOpensRegion<RememberRegion>, Put<&Region::data, CurrentData>>},
      {"memory.region-shares-block",
       All<kOpensRegion<SharesBlock>, Put<&Region::data, BlockData>>},
  };
}

}  // namespace mutants
