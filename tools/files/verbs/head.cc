// fsload head.
#include <memory>
#include <string>
#include <string_view>

#include "tools/files/run/source.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/file_headers.h"
#include "tools/files/verbs/verbs.h"
#include "tools/text/size_text.h"

namespace fsload {
namespace {

struct Amount {
  uint64_t lines = 10;
  uint64_t bytes = kMaxBytes;
};

// How much of `text` to show; updates `amount` to what is left.
size_t Take(std::string_view text, Amount& amount) {
  size_t end = 0;
  while (end < text.size() && amount.lines > 0) {
    const size_t newline = text.find('\n', end);
    if (newline == std::string_view::npos) {
      end = text.size();
    } else {
      end = newline + 1;
      --amount.lines;
    }
  }
  amount.bytes -= end;
  return end;
}

absl::Status Head(VerbRun& run, const std::string& uri, Amount amount,
                  const std::string& header) {
  // Lines are short, so little is read at first.
  absl::StatusOr<Source> source =
      Source::Open(run, uri, {{0, amount.bytes}, /*reads_ahead=*/false});
  if (!source.ok()) return source.status();
  if (!header.empty()) run.output().Result(header, "file", {});
  for (uint64_t offset = 0; amount.lines > 0 && amount.bytes > 0;) {
    const absl::StatusOr<std::string_view> bytes = source->Next();
    if (!bytes.ok()) return bytes.status();
    if (bytes->empty()) break;
    const size_t shown = Take(*bytes, amount);
    source->LeaveUnread(bytes->size() - shown);
    if (!run.output().Data(uri, offset, bytes->substr(0, shown))) break;
    offset += shown;
  }
  return absl::OkStatus();
}

}  // namespace

void AddHead(CLI::App& app, int& exit_code) {
  const auto amount = std::make_shared<Amount>();
  CLI::App* const command = AddVerb(
      app, exit_code,
      {"head",
       "Write the first lines, or bytes, of files",
       "URIs or local paths; - for standard input",
       1,
       SIZE_MAX,
       {Op::kFilesystem_new_random_access_file, Op::kRandomAccessFile_read}},
      [amount](VerbRun& run) {
        ForEachWithHeader(
            run, [&](const std::string& uri, const std::string& header) {
              return Head(run, uri, *amount, header);
            });
      });
  CLI::Option* const lines = AddSizeOption(
      *command, "-n,--lines",
      [amount](uint64_t number) { amount->lines = number; }, "LINES",
      "Write the first LINES lines (default: 10); -5 is -n 5");
  CLI::Option* const bytes = AddSizeOption(
      *command, "-c,--bytes",
      [amount](uint64_t bytes) {
        *amount = {UINT64_MAX, bytes};
      },
      "BYTES", "Write the first BYTES bytes instead");
  Exclude(bytes, {lines});
}

}  // namespace fsload
