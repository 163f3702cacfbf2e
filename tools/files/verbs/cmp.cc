// fsload cmp.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "third_party/fmt/format.h"
#include "tools/files/run/source.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/verbs.h"
#include "tools/text/name_text.h"

namespace fsload {
namespace {

// The first difference of two files.
struct Difference {
  bool found = false;
  uint64_t offset = 0;                 // of the first differing byte
  uint64_t line = 1;                   // that contains it
  const std::string* ended = nullptr;  // the shorter one, if it ended first
};

// The current block of one file.
struct Side {
  const std::string& uri;
  Source source;
  std::string block;
  std::string_view bytes;

  bool ReadBlock(VerbOutput& output) {
    const absl::StatusOr<size_t> read =
        source.ReadAll(block.data(), block.size());
    if (!read.ok()) output.Fail(uri, read.status());
    if (read.ok()) bytes = std::string_view(block.data(), *read);
    return read.ok();
  }
};

// None if opening failed, which is then reported.
std::optional<Side> OpenSide(VerbRun& run, const std::string& uri) {
  absl::StatusOr<Source> source = Source::Open(run, uri);
  if (source.ok()) {
    return Side{uri, *std::move(source), std::string(kBlockBytes, '\0'), {}};
  }
  run.output().Fail(uri, source.status());
  return std::nullopt;
}

uint64_t Lines(std::string_view text) {
  return static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

// None if reading failed, which is then reported.
std::optional<Difference> Compare(Side& a, Side& b, VerbOutput& output) {
  Difference difference;
  for (;;) {
    if (!a.ReadBlock(output) || !b.ReadBlock(output)) return std::nullopt;
    const size_t common = std::min(a.bytes.size(), b.bytes.size());
    const size_t same = std::mismatch(a.bytes.begin(), a.bytes.begin() + common,
                                      b.bytes.begin())
                            .first -
                        a.bytes.begin();
    difference.offset += same;
    difference.line += Lines(a.bytes.substr(0, same));
    if (same < common || a.bytes.size() != b.bytes.size()) {
      difference.found = true;
      if (same == common) {
        difference.ended = a.bytes.size() < b.bytes.size() ? &a.uri : &b.uri;
      }
      return difference;
    }
    if (common < kBlockBytes) return difference;
  }
}

// Like cmp(1), which counts bytes from 1.
std::string Text(const Difference& difference, const std::string& a,
                 const std::string& b) {
  if (!difference.found) return "";
  const std::string both = NameText(a) + " " + NameText(b) + " differ: ";
  if (difference.ended == nullptr) {
    return Format("{}byte {}, line {}\n", both, difference.offset + 1,
                  difference.line);
  }
  const std::string ended = NameText(*difference.ended);
  return difference.offset == 0
             ? Format("{}{} is empty\n", both, ended)
             : Format("{}{} ends after byte {}, line {}\n", both, ended,
                      difference.offset, difference.line);
}

void CompareFiles(VerbRun& run) {
  if (run.uris().size() != 2) {
    run.output().Fail(
        run.options().arguments[0],
        InvalidArgumentError(
            "{}: cmp compares 2 files, but its arguments name {}; "
            "use --literal if they are not patterns",
            run.options().arguments[0], run.uris().size()),
        kUsage);
    return;
  }
  const std::string& first = run.uris()[0];
  const std::string& second = run.uris()[1];
  if (first == "-" && second == "-") {
    run.output().Fail(
        first, InvalidArgumentError("standard input can be given only once"),
        kUsage);
    return;
  }
  std::optional<Side> a = OpenSide(run, first);
  std::optional<Side> b = a ? OpenSide(run, second) : std::nullopt;
  if (!b) return;
  const std::optional<Difference> difference = Compare(*a, *b, run.output());
  if (!difference) return;
  JsonFields fields = {
      {"uri", first}, {"other", second}, {"equal", !difference->found}};
  if (difference->found) {
    run.output().SetOutcome(kFindings);
    fields.emplace_back("offset", difference->offset);
    fields.emplace_back("line", difference->line);
    if (difference->ended != nullptr) {
      fields.emplace_back("ended", *difference->ended);
    }
  }
  const std::string text =
      run.options().quiet ? "" : Text(*difference, first, second);
  run.output().Result(text, "compared", fields);
}

}  // namespace

void AddCmp(CLI::App& app, int& exit_code) {
  AddVerb(app, exit_code,
          {"cmp",
           "Compare two files: exit with 0 if they are equal, 1 if they differ",
           "Two URIs or local paths; - for standard input",
           2,
           2,
           {Op::kFilesystem_new_random_access_file, Op::kRandomAccessFile_read},
           /*atomic=*/nullptr,
           "uri uri"},
          CompareFiles);
}

}  // namespace fsload
