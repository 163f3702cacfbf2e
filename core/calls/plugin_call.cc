#include "core/calls/plugin_call.h"

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "core/calls/failed_call.h"
#include "core/calls/lost_file.h"
#include "core/calls/missing_function.h"
#include "core/calls/plugin_message.h"
#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "core/tables/code_name.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

std::string TypeOfCurrentException() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "a non-C++ exception";
  int error = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(type->name(), nullptr, nullptr, &error), &std::free);
  return name == nullptr ? type->name() : name.get();
}

// The code for an HTTP status; `otherwise` if it tells nothing.
TF_Code CodeOfHttpStatus(std::string_view number, TF_Code otherwise) {
  if (number == "401") return TF_UNAUTHENTICATED;
  if (number == "403") return TF_PERMISSION_DENIED;
  if (number == "404") return TF_NOT_FOUND;
  if (number == "429" || number == "500" || number == "502" ||
      number == "503" || number == "504") {
    return TF_UNAVAILABLE;
  }
  return otherwise;
}

// Plugins report all of a server's answers as one code, and quote its status.
TF_Code CodeSaidIn(std::string_view message, std::string_view uri,
                   TF_Code otherwise) {
  constexpr std::string_view kBefore = "(Status: ";
  if (!SaysOfItself(message, kBefore, uri)) return otherwise;
  const size_t at = message.rfind(kBefore);
  return CodeOfHttpStatus(message.substr(at + kBefore.size(), 3), otherwise);
}

// HTTP clients begin the text of an exception with the server's status.
TF_Code CodeOfCurrentException() {
  try {
    throw;
  } catch (const std::exception& exception) {
    const std::string_view what =
        exception.what() == nullptr ? "" : exception.what();
    return CodeOfHttpStatus(what.substr(0, what.find(' ')), TF_INTERNAL);
  } catch (...) {
    return TF_INTERNAL;
  }
}

void AddPayload(const char* key, const char* value, void* capture) {
  static_cast<absl::Status*>(capture)->SetPayload(key, absl::Cord(value));
}

// Whether `path` is the end of `uri`, from a '/' on, or its path as plugins get
// it: "a" of "./a/", "/" of "posix:///".
bool IsPathOf(std::string_view uri, std::string_view path) {
  std::string_view shown = uri;
  while (shown.size() > 1 && shown.back() == '/') shown.remove_suffix(1);
  const bool is_end = shown.size() >= path.size() &&
                      shown.substr(shown.size() - path.size()) == path;
  const bool is_whole = path.empty() || path.front() == '/' || path == shown;
  return (is_end && is_whole) || path == CleanPath(ParseUri(uri).path);
}

// `message` without the path that it begins with, as those of
// TF_SetStatusFromIOError do ("/a: Not a directory"), or without the colon of
// an empty one: the URI stands before it already.
std::string_view WithoutPath(std::string_view message, std::string_view uri) {
  const size_t colon = message.find(": ");
  if (colon == std::string_view::npos) return message;
  const std::string_view rest = message.substr(colon + 2);
  const bool repeats = IsPathOf(uri, message.substr(0, colon));
  return repeats && !rest.empty() ? rest : message;
}

absl::Status MakeError(TF_Code code, const char* message, Op op,
                       std::string_view uri) {
  const std::string_view said = message == nullptr ? "" : message;
  const std::string words = said.empty() ? "the plugin gave no message"
                                         : OneLine(WithoutPath(said, uri));
  return absl::Status(
      static_cast<absl::StatusCode>(ShownCode(code, said, uri)),
      CallMessage(op, uri,
                  NamesOtherRegion(uri, said)
                      ? Format("the bucket is in another region; set "
                               "AWS_REGION to that, and S3_ENDPOINT, if it is "
                               "set, to its server ({})",
                               words)
                      : words));
}

}  // namespace

TF_Code ShownCode(TF_Code code, std::string_view message,
                  std::string_view uri) {
  if (NamesOtherRegion(uri, message)) return TF_INVALID_ARGUMENT;
  return KnownCode(CodeSaidIn(message, uri, code));
}

CodeAndText ErrorOfCurrentException() {
  try {
    throw;
  } catch (const MissingFunction& missing) {
    return {TF_UNIMPLEMENTED, missing.what(), true};
  } catch (const FailedCall& failed) {
    return {failed.code(), failed.what(), failed.misses()};
  } catch (...) {
    return {CodeOfCurrentException(),
            "the plugin threw " + DescribeCurrentException(), false};
  }
}

std::string DescribeCurrentException() {
  try {
    throw;
  } catch (const std::exception& exception) {
    const std::string type = TypeOfCurrentException();
    const char* what = exception.what();
    if (what == nullptr) what = "what() is null";
    return type == what ? type : Format("{}: {}", type, what);
  } catch (...) {
    return TypeOfCurrentException();
  }
}

ABSL_ATTRIBUTE_NOINLINE absl::Status ErrorOf(const StatusStorage& status, Op op,
                                             std::string_view uri) {
  absl::Status error = MakeError(status.code, status.message, op, uri);
  TF_ForEachPayload(status.get(), AddPayload, &error);
  return error;
}

ABSL_ATTRIBUTE_NOINLINE void SetToCurrentException(StatusStorage& status) {
  const CodeAndText error = ErrorOfCurrentException();
  TF_SetStatus(status.get(), error.code, error.text.c_str());
  if (error.missing_function) {
    TF_SetPayload(status.get(), kMissingFunctionPayload, "");
  }
}

ABSL_ATTRIBUTE_NOINLINE void CallStatus::SetToCurrentException() {
  if (is_own()) return fsload::SetToCurrentException(own_);
  const CodeAndText error = ErrorOfCurrentException();
  provider_.set_status(status_, error.code, error.text.c_str());
  missing_function_ = error.missing_function;
}

ABSL_ATTRIBUTE_NOINLINE absl::Status CallStatus::ToError(
    Op op, std::string_view uri) const {
  if (is_own()) return ErrorOf(own_, op, uri);
  absl::Status error = MakeError(code(), provider_.message(status_), op, uri);
  if (missing_function_) MarkMissingFunction(error);
  return error;
}

ABSL_ATTRIBUTE_NOINLINE void CallStatus::CopyTo(TF_Status* status) const {
  TF_SetStatus(status, code(),
               is_own() ? TF_Message(status_) : provider_.message(status_));
  if (is_own()) {
    const auto copy = [](const char* key, const char* value, void* capture) {
      TF_SetPayload(static_cast<TF_Status*>(capture), key, value);
    };
    TF_ForEachPayload(status_, copy, status);
  } else if (missing_function_) {
    TF_SetPayload(status, kMissingFunctionPayload, "");
  }
}

std::string CallMessage(Op op, std::string_view uri, std::string_view problem) {
  return Format("{}{}{} ({})", uri, uri.empty() ? "" : ": ", problem,
                Describe(op).name);
}

absl::Status NullByteIn(Op op, std::string_view what, std::string_view text) {
  std::string shown;
  for (const char c : text) {
    c == '\0' ? shown.append("\\0") : shown.append(1, c);
  }
  return absl::InvalidArgumentError(CallMessage(
      op, shown,
      Format("the {} contains a null byte, at which a plugin would truncate it",
             what)));
}

absl::Status Unusable(Op op, std::string_view uri, std::string_view expected,
                      std::string_view found) {
  return absl::InternalError(
      CallMessage(op, uri,
                  Format("the plugin reported OK but returned {} instead of {}",
                         found, expected)));
}

absl::Status NotAFile(Op op, std::string_view uri) {
  return absl::FailedPreconditionError(
      CallMessage(op, uri, "is a directory, not a file"));
}

absl::Status NotADirectory(Op op, std::string_view uri) {
  return absl::FailedPreconditionError(
      CallMessage(op, uri, "is a file, not a directory"));
}

absl::Status MissingOperations(Op op, std::string_view uri,
                               const std::vector<Op>& missing) {
  std::string names;
  for (const Op each : missing) {
    names += names.empty() ? "" : each == missing.back() ? " and " : ", ";
    names += Describe(each).name;
  }
  const bool itself = missing.size() == 1 && missing.front() == op;
  return absl::UnimplementedError(CallMessage(
      op, uri,
      itself
          ? Format("the plugin has no {}, and there is no default for it",
                   names)
          : Format("the plugin lacks {}, and the default needs {}, missing too",
                   Describe(op).name, names)));
}

absl::Status WithText(const absl::Status& error, std::string_view text) {
  absl::Status extended(error.code(),
                        Format("{}; {}", std::string(error.message()), text));
  error.ForEachPayload([&](absl::string_view key, const absl::Cord& value) {
    if (key != kFileLostPayload) extended.SetPayload(key, value);
  });
  return extended;
}

}  // namespace fsload
