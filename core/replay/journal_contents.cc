#include "core/replay/journal_contents.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/strings/ascii.h"
#include "core/paths/uri.h"
#include "core/replay/shapes.h"
#include "core/tables/op_tables.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// fsload's temporary files have random names, so their numbers are left out:
// ".fsload-0123456789abcdef" is ".fsload-*".
std::string WithoutRandomNames(std::string_view text) {
  constexpr std::string_view kPrefix = ".fsload-";
  constexpr size_t kDigits = 16;
  std::string result;
  for (;;) {
    const size_t at = text.find(kPrefix);
    if (at == std::string_view::npos) return result.append(text);
    const size_t end = at + kPrefix.size();
    result.append(text.substr(0, end));
    text.remove_prefix(end);
    const std::string_view digits = text.substr(0, kDigits);
    if (digits.size() < kDigits ||
        !std::all_of(digits.begin(), digits.end(), &absl::ascii_isxdigit)) {
      continue;
    }
    result += '*';
    text.remove_prefix(kDigits);
  }
}

// Equal for calls that are the same. Contents are represented by their length
// and a hash.
std::string KeyOf(size_t scheme, const JournalCall& call) {
  const std::string_view kinds = ShapeOf(call.op).arguments;
  std::string key = Format("{} {}", scheme, static_cast<int>(call.op));
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const JournalArgument& each = call.arguments[i];
    if (const auto* const number = std::get_if<uint64_t>(&each)) {
      key += Format(" {}", *number);
      continue;
    }
    const auto& text = std::get<std::string>(each);
    if (i < kinds.size() && kinds[i] == 'c') {
      key += Format(" {}:{}", text.size(), std::hash<std::string_view>()(text));
    } else {
      const std::string name = WithoutRandomNames(text);
      key += Format(" {}:{}", name.size(), name);
    }
  }
  return key;
}

void Count(const JournalCall& call, CallStatistics& statistics) {
  CallStatistics one;
  one.rows.push_back({call.op, call.code, {}, {}});
  one.rows[0].nanoseconds.Add(
      static_cast<uint64_t>(std::max<int64_t>(call.duration, 0)));
  const bool moved = call.code == TF_OK || call.code == TF_OUT_OF_RANGE;
  if (moved && call.op == Op::kRandomAccessFile_read) {
    one.rows[0].bytes.Add(call.bytes.size());
  } else if (moved && call.op == Op::kWritableFile_append) {
    one.rows[0].bytes.Add(std::get<std::string>(call.arguments[1]).size());
  }
  statistics.Merge(one);
}

}  // namespace

std::string CallText(const JournalCall& call) {
  const std::string_view kinds = ShapeOf(call.op).arguments;
  std::string text;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const JournalArgument& each = call.arguments[i];
    if (!text.empty()) text += ", ";
    if (const auto* const number = std::get_if<uint64_t>(&each)) {
      text += Format("{}", *number);
    } else if (i < kinds.size() && kinds[i] == 'c') {
      text += Format("{} bytes", std::get<std::string>(each).size());
    } else {
      text += std::get<std::string>(each);
    }
  }
  return Format("{}({})", Name(call.op), text);
}

absl::Status JournalContents::Add(std::string_view line) {
  absl::StatusOr<JournalLine> parsed = ParseJournalLine(line);
  if (!parsed.ok()) return parsed.status();
  if (!begun_ && !std::holds_alternative<JournalHeader>(*parsed)) {
    return InvalidArgumentError("it is not the header of a journal");
  }
  if (!incomplete_.empty()) {
    return InvalidArgumentError("it follows the line that ends the journal");
  }
  return std::visit([this](auto& each) { return Take(std::move(each)); },
                    *parsed);
}

absl::Status JournalContents::Take(JournalHeader) {
  if (begun_) return InvalidArgumentError("it is a second header");
  begun_ = true;
  return absl::OkStatus();
}

absl::Status JournalContents::Take(JournalFileSystem file_system) {
  if (!IsScheme(file_system.scheme) ||
      file_system.scheme.size() >= SchemeTables::kMaxSchemeBytes) {
    return InvalidArgumentError("its scheme is not one");
  }
  const auto known = std::find_if(
      schemes_.begin(), schemes_.end(),
      [&](const auto& each) { return each.scheme == file_system.scheme; });
  const auto index = static_cast<size_t>(known - schemes_.begin());
  if (!scheme_of_.emplace(file_system.number, index).second) {
    return InvalidArgumentError("its number belongs to another one");
  }
  if (known != schemes_.end()) return absl::OkStatus();
  schemes_.push_back({file_system.scheme, file_system.plugin, {}});
  file_systems_.push_back(std::move(file_system));
  return absl::OkStatus();
}

absl::Status JournalContents::Take(JournalCall call) {
  const auto scheme = scheme_of_.find(call.file_system);
  if (scheme == scheme_of_.end()) {
    return InvalidArgumentError("no line before it is about its file system");
  }
  Count(call, schemes_[scheme->second].calls);
  NoteTranslation(scheme->second, call);
  Answers& answers = answers_[KeyOf(scheme->second, call)];
  call.arguments.clear();
  answers.calls.push_back(std::move(call));
  return absl::OkStatus();
}

void JournalContents::NoteTranslation(size_t scheme, const JournalCall& call) {
  if (call.op != Op::kFilesystem_translate_name || call.texts.empty()) return;
  const auto& name = std::get<std::string>(call.arguments[0]);
  const Uri uri = ParseUri(name);
  if (uri.scheme.empty()) return;
  Translations& all = translations_[scheme];
  ++(call.texts[0] == uri.path ? all.paths : all.others);
}

absl::Status JournalContents::Take(JournalStop stop) {
  incomplete_ = stop.why.empty() ? "recording stopped" : std::move(stop.why);
  return absl::OkStatus();
}

const JournalCall* JournalContents::Answer(size_t scheme,
                                           const JournalCall& asked) const {
  const auto found = answers_.find(KeyOf(scheme, asked));
  if (found == answers_.end()) return nullptr;
  const Answers& answers = found->second;
  const size_t last = answers.calls.size() - 1;
  // Relaxed: the answers are all there before the first is asked for.
  size_t next = answers.next.load(std::memory_order_relaxed);
  while (next < last && !answers.next.compare_exchange_weak(
                            next, next + 1, std::memory_order_relaxed)) {
  }
  return &answers.calls[next];
}

std::string_view JournalContents::PathOf(size_t scheme,
                                         std::string_view uri) const {
  const auto known = translations_.find(scheme);
  const bool are_paths = known != translations_.end() &&
                         known->second.paths > 0 && known->second.others == 0;
  return are_paths ? ParseUri(uri).path : uri;
}

std::string JournalContents::NoAnswer(const JournalCall& asked) const {
  return Format("the journal {} contains no {} call; {}", name_,
                CallText(asked),
                incomplete_.empty() ? "record the command again to include it"
                                    : "it is incomplete: " + incomplete_);
}

}  // namespace fsload
