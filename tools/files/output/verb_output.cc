#include "tools/files/output/verb_output.h"

#include <sys/mman.h>

#include <cstdio>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/escaping.h"
#include "fsload/internal/mutex.h"
#include "tools/text/output.h"

namespace fsload {

namespace {

using Json = nlohmann::ordered_json;

Json ObjectOf(const JsonFields& fields);

Json JsonOf(const JsonField::Value& value) {
  struct Visitor {
    Json operator()(const std::vector<JsonFields>& objects) const {
      Json array = Json::array();
      for (const JsonFields& each : objects) array.push_back(ObjectOf(each));
      return array;
    }
    Json operator()(const std::vector<std::string>& texts) const {
      return texts;
    }
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(const std::string& text) const { return text; }
    Json operator()(bool value) const { return value; }
    Json operator()(int64_t number) const { return number; }
    Json operator()(uint64_t number) const { return number; }
  };
  return std::visit(Visitor(), value);
}

Json ObjectOf(const JsonFields& fields) {
  Json object = Json::object();
  for (const JsonField& each : fields) object[each.name] = JsonOf(each.value);
  return object;
}

}  // namespace

std::string VerbOutput::Line(std::string_view event,
                             const JsonFields& fields) const {
  Json object = {{"version", kJsonVersion}, {"verb", verb_}};
  object["event"] = event;
  object.update(ObjectOf(fields));
  using ErrorHandler = Json::error_handler_t;
  return object.dump(-1, ' ', /*ensure_ascii=*/true, ErrorHandler::replace) +
         "\n";
}

bool VerbOutput::Result(std::string_view text, std::string_view event,
                        const JsonFields& fields) {
  const std::string line = json_ ? Line(event, fields) : std::string(text);
  const MutexLock lock(mutex_);
  ClearLine();
  broken_ = broken_ || !Print(line);
  return !broken_;
}

bool VerbOutput::Data(std::string_view uri, uint64_t offset,
                      std::string_view bytes) {
  if (!json_) return Result(bytes, "data", {});
  return Result("", "data",
                {{"uri", uri},
                 {"offset", offset},
                 {"length", bytes.size()},
                 {"base64", absl::Base64Escape({bytes.data(), bytes.size()})}});
}

bool VerbOutput::broken() const {
  const MutexLock lock(mutex_);
  return broken_;
}

void VerbOutput::Note(std::string_view text, std::string_view event,
                      const JsonFields& fields) {
  if (json_) {
    const std::string line = Line(event, fields);
    const MutexLock lock(mutex_);
    Print(line);
    // Readers of progress want it at once; FlushOutput keeps the first error.
    FlushOutput().IgnoreError();
    return;
  }
  const MutexLock lock(mutex_);
  ClearLine();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void VerbOutput::Fail(std::string_view uri, const absl::Status& error,
                      std::optional<ExitCode> exit_code) {
  const absl::Status status =
      explain_ == nullptr ? error : explain_(uri, error);
  if (json_) {
    Result("", "error",
           {{"uri", uri},
            {"code", absl::StatusCodeToString(status.code())},
            {"message", std::string(status.message())}});
  }
  const MutexLock lock(mutex_);
  ClearLine();
  PrintError(status);
  const ExitCode code = exit_code.value_or(ExitCodeFor(status));
  if (failures_->count == 0 || code == kInterrupted) {
    failures_->exit_code = code;
  } else if (failures_->exit_code != code &&
             failures_->exit_code != kInterrupted) {
    failures_->exit_code = kFindings;
  }
  ++failures_->count;
}

void VerbOutput::ShowLine(std::string_view line) {
  const MutexLock lock(mutex_);
  if (line.empty()) {
    ClearLine();
    return;
  }
  // Rewrites the line from its start, and clears the rest.
  std::fprintf(stderr, "\r%.*s\x1b[K", static_cast<int>(line.size()),
               line.data());
  std::fflush(stderr);
  shows_line_ = true;
}

void VerbOutput::ClearLine() {
  if (!shows_line_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  shows_line_ = false;
}

void VerbOutput::ShareFailures() {
  void* const pages = mmap(nullptr, sizeof(Failures), PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return;
  const MutexLock lock(mutex_);
  failures_ = new (pages) Failures(*failures_);  // until the process ends
}

size_t VerbOutput::failures() const {
  const MutexLock lock(mutex_);
  return failures_->count;
}

void VerbOutput::SetOutcome(ExitCode outcome) {
  const MutexLock lock(mutex_);
  outcome_ = outcome;
}

ExitCode VerbOutput::exit_code() const {
  const MutexLock lock(mutex_);
  return failures_->count > 0 ? failures_->exit_code : outcome_;
}

}  // namespace fsload
