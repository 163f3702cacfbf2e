// FSP867 and FSP868: operations where no more files can be opened.
#include <string>
#include <vector>

#include "loader/conformance/case.h"
#include "loader/conformance/process_limits.h"

namespace fsload::conformance {
namespace {

constexpr char kKept[] = "kept";

// Expects an error that does not speak of the path, or the right answer.
void FailsForWantOfDescriptors(Trial& t, const char* call,
                               const absl::Status& status, bool is_right) {
  t.Record(call, status);
  const bool misleads =
      absl::IsNotFound(status) || absl::IsOutOfRange(status) ||
      absl::IsFailedPrecondition(status) || absl::IsInvalidArgument(status) ||
      absl::IsAlreadyExists(status);
  t.Expect(status.ok() ? is_right : !misleads,
           t.calls().back() +
               "; expected RESOURCE_EXHAUSTED, as no file can be opened");
}

void WithoutDescriptorsNothingIsThoughtMissing(Trial& t) {
  if (!t.Put("file", kKept) || !t.PutDir("dir") || !t.Put("dir/a", "a")) return;
  Target& target = t.setting().tested;
  absl::Status opened;
  absl::Status mapped;
  absl::Status created;
  absl::StatusOr<Names> listed;
  {
    const Limit limit = DescriptorLimit(0);
    opened = target.Open(t.Uri("file")).status();
    if (t.Has(kRegion)) mapped = target.Map(t.Uri("file")).status();
    created = target.Create(t.Uri("file")).status();
    listed = target.GetChildren(t.Uri("dir"));
  }
  FailsForWantOfDescriptors(t, "new_random_access_file(\"file\")", opened,
                            true);
  FailsForWantOfDescriptors(
      t, "new_read_only_memory_region_from_file(\"file\")", mapped, true);
  FailsForWantOfDescriptors(t, "new_writable_file(\"file\")", created, true);
  FailsForWantOfDescriptors(t, "get_children(\"dir\")", listed.status(),
                            listed.ok() && *listed == Names{"a"});
  if (!created.ok()) t.HasContents("file", kKept);
  t.HasNames("", {"dir", "file"});
}

void WithoutDescriptorsATreeIsNotDeleted(Trial& t) {
  if (!t.PutDir("tree") || !t.Put("tree/file", kKept)) return;
  Undeleted left;
  absl::Status status;
  {
    const Limit limit = DescriptorLimit(0);
    status = t.setting().tested.DeleteRecursively(t.Uri("tree"), left);
  }
  FailsForWantOfDescriptors(t, "delete_recursively(\"tree\")", status, true);
  if (status.ok()) return t.HasNoFile("tree");
  t.Expect(left.files + left.directories > 0,
           "delete_recursively fails and counts nothing as undeleted");
}

}  // namespace

std::vector<Case> NoDescriptorsCases() {
  return {
      {867,
       "faults.no-descriptors",
       "without descriptors files are not thought missing, empty or listed",
       "L351-L356",
       4,
       kLocalFiles | kNoDefaults | kOwnProcess,
       {kOpen, kNew, kChildren},
       WithoutDescriptorsNothingIsThoughtMissing,
       "A program would create anew, or take for empty, what is there.",
       "EMFILE and ENFILE are RESOURCE_EXHAUSTED; check opendir."},
      {868,
       "faults.no-descriptors-to-delete",
       "without descriptors delete_recursively fails, and counts what is left",
       "L479-L482",
       4,
       kLocalFiles | kNoDefaults | kOwnProcess,
       {kDeleteTree},
       WithoutDescriptorsATreeIsNotDeleted,
       "A program would think that nothing is left.",
       "Check opendir."},
  };
}

}  // namespace fsload::conformance
