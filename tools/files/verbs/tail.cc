// fsload tail.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/files/run/source.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/file_headers.h"
#include "tools/files/verbs/verbs.h"
#include "tools/text/size_text.h"

namespace fsload {
namespace {

// Lines are short, so the first read is smaller than a block.
constexpr size_t kFirstBytes = size_t{1} << 14;

struct Amount {
  uint64_t number = 10;
  bool is_bytes = false;  // else lines
};

// Where the last `lines` lines of `text` begin, which ends where the file does
// if `is_end`; none if it has fewer. `lines` is at least 1, and is reduced by
// what is found.
std::optional<size_t> LastLines(std::string_view text, bool is_end,
                                uint64_t& lines) {
  // The newline at the end of a file ends its last line.
  size_t end = text.size();
  if (is_end && end > 0 && text[end - 1] == '\n') --end;
  while (true) {
    const size_t newline = text.substr(0, end).rfind('\n');
    if (newline == std::string_view::npos) return std::nullopt;
    if (--lines == 0) return newline + 1;
    end = newline;
  }
}

size_t BeginOf(std::string_view text, Amount amount) {
  if (amount.is_bytes) {
    return text.size() - std::min<uint64_t>(amount.number, text.size());
  }
  if (amount.number == 0) return text.size();
  return LastLines(text, true, amount.number).value_or(0);
}

// Reads all of what has no known length, and keeps no more of it than needed.
absl::Status TailOfStream(VerbRun& run, const std::string& uri, Source& source,
                          const Amount& amount) {
  std::string text;
  uint64_t offset = 0;  // of `text`
  size_t needed = 0;    // when it was last cut
  for (;;) {
    const absl::StatusOr<std::string_view> block = source.Next();
    if (!block.ok()) return block.status();
    text.append(*block);
    const bool is_end = block->empty();
    if (!is_end && text.size() < 2 * (needed + kBlockBytes)) continue;
    const size_t begin = BeginOf(text, amount);
    text.erase(0, begin);
    offset += begin;
    needed = text.size();
    if (is_end) break;
  }
  if (!text.empty()) run.output().Data(uri, offset, text);
  return absl::OkStatus();
}

absl::Status BecameShorter(const std::string& uri) {
  return absl::AbortedError(uri +
                            ": became shorter while it was read; try again");
}

// The end of a file: from `begin` to `end`, and, if it is short, its text.
struct Ending {
  uint64_t begin = 0;
  uint64_t end = 0;
  std::optional<std::string> text = std::nullopt;
};

// Reads backwards, until the lines are found.
absl::StatusOr<Ending> FindLines(const std::string& uri, Source& source,
                                 uint64_t length, uint64_t lines) {
  Ending ending = {0, length, std::string()};
  std::string block;
  size_t wanted = kFirstBytes;
  for (uint64_t begin = length; begin > 0;) {
    block.resize(std::min<uint64_t>(wanted, begin));
    wanted = std::min(wanted * 4, kBlockBytes);
    const bool is_end = begin == length;
    begin -= block.size();
    source.SeekTo(begin);
    const absl::StatusOr<size_t> bytes =
        source.ReadAll(block.data(), block.size());
    if (!bytes.ok()) return bytes.status();
    // It holds less than it says, as files of /sys do, or has been truncated.
    if (*bytes < block.size() && !is_end) return BecameShorter(uri);
    block.resize(*bytes);
    if (is_end) ending.end = begin + *bytes;
    const std::optional<size_t> found = LastLines(block, is_end, lines);
    ending.begin = begin + found.value_or(0);
    if (ending.text.has_value())
      ending.text->insert(0, block, found.value_or(0));
    if (found.has_value()) break;
    if (ending.text.has_value() && ending.text->size() > kBlockBytes) {
      ending.text.reset();
    }
  }
  return ending;
}

// Of a file that ends before `end`. It may hold less than it says, as files of
// /sys do, but must still say so.
absl::Status CheckLength(const std::string& uri, const Source& source,
                         uint64_t end) {
  const absl::StatusOr<std::optional<uint64_t>> length = source.Length();
  if (!length.ok()) return length.status();
  return length->value_or(0) < end ? BecameShorter(uri) : absl::OkStatus();
}

absl::Status Show(VerbRun& run, const std::string& uri, Source& source,
                  const Ending& ending) {
  if (ending.text.has_value()) {
    if (!ending.text->empty()) {
      run.output().Data(uri, ending.begin, *ending.text);
    }
    return absl::OkStatus();
  }
  source.SeekTo(ending.begin);
  for (uint64_t offset = ending.begin; offset < ending.end;) {
    const absl::StatusOr<std::string_view> block = source.Next();
    if (!block.ok()) return block.status();
    const std::string_view wanted = block->substr(0, ending.end - offset);
    if (wanted.empty()) return CheckLength(uri, source, ending.end);
    if (!run.output().Data(uri, offset, wanted)) break;
    offset += wanted.size();
  }
  return absl::OkStatus();
}

absl::Status Tail(VerbRun& run, const std::string& uri, const Amount& amount,
                  const std::string& header) {
  SourceOptions options;
  options.reads_ahead = false;
  absl::StatusOr<Source> source = Source::Open(run, uri, options);
  if (!source.ok()) return source.status();
  const absl::StatusOr<std::optional<uint64_t>> length = source->Length();
  if (!length.ok()) return length.status();
  if (!header.empty()) run.output().Result(header, "file", {});
  if (!length->has_value()) return TailOfStream(run, uri, *source, amount);
  if (amount.number == 0) return absl::OkStatus();
  absl::StatusOr<Ending> ending = Ending{0, **length};
  if (amount.is_bytes) {
    ending->begin = **length - std::min(amount.number, **length);
  } else {
    ending = FindLines(uri, *source, **length, amount.number);
  }
  if (!ending.ok()) return ending.status();
  return Show(run, uri, *source, *ending);
}

}  // namespace

void AddTail(CLI::App& app, int& exit_code) {
  const auto amount = std::make_shared<Amount>();
  CLI::App* const command = AddVerb(
      app, exit_code,
      {"tail",
       "Write the last lines, or bytes, of files",
       "URIs or local paths; - for standard input",
       1,
       SIZE_MAX,
       {Op::kFilesystem_new_random_access_file, Op::kFilesystem_stat,
        Op::kRandomAccessFile_read}},
      [amount](VerbRun& run) {
        ForEachWithHeader(
            run, [&](const std::string& uri, const std::string& header) {
              return Tail(run, uri, *amount, header);
            });
      });
  CLI::Option* const lines = AddSizeOption(
      *command, "-n,--lines",
      [amount](uint64_t number) {
        *amount = {number, false};
      },
      "LINES", "Write the last LINES lines (default: 10)");
  CLI::Option* const bytes = AddSizeOption(
      *command, "-c,--bytes",
      [amount](uint64_t number) {
        *amount = {number, true};
      },
      "BYTES", "Write the last BYTES bytes instead");
  Exclude(bytes, {lines});
  SetFooter(*command,
            "There is no -f: no operation of a plugin waits for a file to "
            "grow.");
}

}  // namespace fsload
