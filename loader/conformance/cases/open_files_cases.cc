// FSP413, FSP427 and FSP512 and on: several files that are open at once.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loader/conformance/cases/cases.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

// More than a table of a fixed size is likely to have.
constexpr int kFiles = 40;

std::string NameOf(int i) { return Format("file{}", i); }

std::string ContentsOf(int i) {
  return std::string(1 + i % 7, static_cast<char>('A' + i % 26)) +
         std::to_string(i);
}

bool PutFiles(Trial& t) {
  for (int i = 0; i < kFiles; ++i) {
    if (!t.Put(NameOf(i), ContentsOf(i))) return false;
  }
  return true;
}

// Opens the first `count` files by `open`; none if one does not open.
template <typename File>
std::vector<std::unique_ptr<File>> OpenEach(
    Trial& t, int count,
    absl::StatusOr<std::unique_ptr<File>> (Trial::*open)(std::string_view)) {
  std::vector<std::unique_ptr<File>> files;
  for (int i = 0; i < count; ++i) {
    auto file = (t.*open)(NameOf(i));
    if (!t.Ok(file)) return {};
    files.push_back(*std::move(file));
  }
  return files;
}

void ManyFilesAreRead(Trial& t) {
  if (!PutFiles(t)) return;
  auto files = OpenEach(t, kFiles, &Trial::Open);
  if (files.empty()) return;
  const auto holds = [&](int i) {
    const std::string contents = ContentsOf(i);
    t.Yields(files[i]->Read(0, contents.size()), contents);
    t.Yields(files[i]->Read(1, contents.size() - 1), contents.substr(1));
  };
  for (int i = 0; i < kFiles; ++i) holds(i);
  for (int i = 0; i < kFiles; i += 2) files[i].reset();
  for (int i = kFiles - 1; i > 0; i -= 2) holds(i);
}

void ManyFilesAreMapped(Trial& t) {
  if (!PutFiles(t)) return;
  auto regions = OpenEach(t, kFiles, &Trial::Map);
  if (regions.empty()) return;
  const auto holds = [&](int i) {
    const std::string_view found = regions[i]->Contents();
    t.Expect(found == ContentsOf(i),
             Format("the region of {} has {}; expected {}", NameOf(i),
                    Quoted(found), Quoted(ContentsOf(i))));
  };
  for (int i = 0; i < kFiles; ++i) holds(i);
  for (int i = 0; i < kFiles; i += 2) regions[i].reset();
  for (int i = kFiles - 1; i > 0; i -= 2) holds(i);
}

// What was appended to each file, which `written` begins with.
void AppendInTurn(Trial& t, std::vector<std::unique_ptr<TrialWriter>>& files,
                  std::vector<std::string>& written) {
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < files.size(); ++i) {
      const std::string part = ContentsOf(static_cast<int>(i) + round) + " ";
      t.Ok(files[i]->Append(part));
      written[i] += part;
    }
    for (size_t i = 0; i < files.size() && t.Has(kTell); ++i) {
      t.Yields(files[i]->Tell(), static_cast<int64_t>(written[i].size()));
    }
  }
  // In another order than they were opened in.
  for (size_t i = 1; i < files.size(); i += 2) t.Ok(files[i]->Close());
  for (size_t i = 0; i < files.size(); i += 2) t.Ok(files[i]->Close());
  files.clear();
  for (size_t i = 0; i < written.size(); ++i) {
    t.HasContents(NameOf(static_cast<int>(i)), written[i]);
  }
}

void ManyFilesAreWritten(Trial& t) {
  auto files = OpenEach(t, kFiles, &Trial::Create);
  if (files.empty()) return;
  std::vector<std::string> written(kFiles);
  AppendInTurn(t, files, written);
}

void FilesAreAppendedToInTurn(Trial& t) {
  constexpr int kAppended = 4;
  std::vector<std::string> written;
  for (int i = 0; i < kAppended; ++i) {
    // The last one is new.
    written.push_back(i + 1 < kAppended ? std::string(10 * i + 3, '-') : "");
    if (!written[i].empty() && !t.Put(NameOf(i), written[i])) return;
  }
  auto files = OpenEach(t, kAppended, &Trial::OpenToAppend);
  if (files.empty()) return;
  AppendInTurn(t, files, written);
}

void AFileIsWrittenWhileOthersAreRead(Trial& t) {
  const std::string old = PatternBytes(5000);
  if (!t.Put("old", old)) return;
  const auto reader = t.Open("old");
  const auto writer = t.Create("new");
  if (!t.Ok(reader) || !t.Ok(writer)) return;
  std::string written;
  for (int i = 0; i < 5; ++i) {
    const std::string part(700, static_cast<char>('a' + i));
    t.Ok((*writer)->Append(part));
    written += part;
    t.Yields((*reader)->Read(1000 * i, 900), old.substr(1000 * i, 900));
  }
  t.Ok((*writer)->Close());
  t.Yields((*reader)->Read(0, old.size()), old);
  t.HasContents("new", written);
  t.HasContents("old", old);
}

constexpr char kWhy[] = "Contents of one file would appear in another.";
constexpr char kRepair[] =
    "Keep all state in the wrapper's pointer: no table of files, no position "
    "and no buffer that is global.";

}  // namespace

std::vector<Case> OpenFilesCases() {
  return {
      {413, "read.many-open-files",
       "each of many files that are open has its own contents", "L345-L350", 2,
       kPlain, Calls(kOpen, kRead), ManyFilesAreRead, kWhy, kRepair},
      {427, "region.many-at-once", "each of many regions has its own contents",
       "L400-L405", 2, kPlain, Calls(kRegion), ManyFilesAreMapped, kWhy,
       kRepair},
      {512, "write.many-open-files",
       "many files that are open are written in turn", "L364-L367", 2, kPlain,
       Calls(kNew, kAppend, kClose), ManyFilesAreWritten, kWhy, kRepair},
      {513, "write.while-another-is-read",
       "a file is written while another is read", "L364-L367", 2, kPlain,
       Calls(kOpen, kRead, kNew, kAppend, kClose),
       AFileIsWrittenWhileOthersAreRead, kWhy, kRepair},
      {526, "append.several-open-files",
       "several files that are open are appended to in turn, each at its end",
       "L382-L388", 2, kPlain, Calls(kNew, kAppendable, kAppend, kClose),
       FilesAreAppendedToInTurn, kWhy, kRepair},
  };
}

}  // namespace fsload::conformance
