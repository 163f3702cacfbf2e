// fsload tail.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "third_party/fmt/format.h"
#include "tools/files/run/source.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/file_headers.h"
#include "tools/files/verbs/verbs.h"
#include "tools/text/output.h"
#include "tools/text/size_text.h"

namespace fsload {
namespace {

// Lines are short, so the first read is smaller than a block.
constexpr size_t kFirstBytes = size_t{1} << 14;

struct TailAmount {
  uint64_t number = 10;
  bool is_bytes = false;       // else lines
  bool is_from_start = false;  // all from this one on, counted from 1
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

size_t BeginOf(std::string_view text, TailAmount amount) {
  if (amount.is_bytes) {
    return text.size() - std::min<uint64_t>(amount.number, text.size());
  }
  if (amount.number == 0) return text.size();
  return LastLines(text, true, amount.number).value_or(0);
}

// Reads all of what has no known length, and keeps no more of it than needed.
absl::Status TailOfStream(VerbRun& run, const std::string& uri, Source& source,
                          const TailAmount& amount) {
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
  return AbortedError("{}: became shorter while it was read; try again", uri);
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
    if (ending.text.has_value()) {
      ending.text->insert(0, block, found.value_or(0));
    }
    if (found.has_value()) break;
    if (ending.text.has_value() && ending.text->size() > kBlockBytes) {
      ending.text.reset();
    }
  }
  return ending;
}

// Where what is wanted of `text` begins, of which `lines` lines are to be left
// out. Reduces them by what is found.
size_t SkipLines(std::string_view text, uint64_t& lines) {
  size_t begin = 0;
  for (; lines > 0 && begin < text.size(); --lines) {
    const size_t newline = text.find('\n', begin);
    if (newline == std::string_view::npos) return text.size();
    begin = newline + 1;
  }
  return begin;
}

// Passes on what follows the first lines. `offset`: where `source` begins.
absl::Status TailFrom(VerbRun& run, const std::string& uri, Source& source,
                      uint64_t offset, uint64_t lines) {
  for (;;) {
    const absl::StatusOr<std::string_view> block = source.Next();
    if (!block.ok()) return block.status();
    if (block->empty()) return absl::OkStatus();
    const size_t begin = SkipLines(*block, lines);
    const std::string_view wanted = block->substr(begin);
    if (!wanted.empty() && !run.output().Data(uri, offset + begin, wanted)) {
      return absl::OkStatus();
    }
    // Someone at a terminal waits for it.
    if (source.is_stream() && !FlushOutput().ok()) {
      return absl::OkStatus();
    }
    offset += block->size();
  }
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

absl::Status Tail(VerbRun& run, const std::string& uri,
                  const TailAmount& amount, const std::string& header) {
  BufferedReaderOptions options;
  options.reads_ahead = amount.is_from_start;
  const uint64_t skipped =
      amount.is_from_start ? std::max<uint64_t>(amount.number, 1) - 1 : 0;
  if (amount.is_bytes) options.range.offset = skipped;
  absl::StatusOr<Source> source = Source::Open(run, uri, options);
  if (!source.ok()) return source.status();
  if (amount.is_from_start) {
    if (!header.empty()) run.output().Result(header, "file", {});
    return TailFrom(run, uri, *source, options.range.offset,
                    amount.is_bytes ? 0 : skipped);
  }
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

// "10", or "+10"; yields what is wrong with `text`.
std::string TakeAmount(const std::string& text, bool is_bytes,
                       TailAmount& amount) {
  const bool is_from_start = !text.empty() && text.front() == '+';
  const absl::StatusOr<uint64_t> number =
      ParseSize(std::string_view(text).substr(is_from_start ? 1 : 0));
  if (number.ok()) amount = {*number, is_bytes, is_from_start};
  return std::string(number.status().message());
}

}  // namespace

void AddTail(CLI::App& app, int& exit_code) {
  const auto amount = std::make_shared<TailAmount>();
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
  const auto take = [amount](bool is_bytes) {
    return [amount, is_bytes](const std::string& text) {
      return TakeAmount(text, is_bytes, *amount);
    };
  };
  CLI::Option* const lines = AddTaken(
      *command, "-n,--lines", take(false), "LINES",
      "Write the last LINES lines (default: 10); with +LINES, all from "
      "line LINES on; -5 is -n 5");
  CLI::Option* const bytes =
      AddTaken(*command, "-c,--bytes", take(true), "BYTES",
               "Write the last BYTES bytes instead; with +BYTES, all from byte "
               "BYTES on");
  Exclude(bytes, {lines});
  SetFooter(*command,
            "There is no -f: plugins cannot wait for a file to grow.");
}

}  // namespace fsload
