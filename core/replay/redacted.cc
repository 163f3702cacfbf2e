#include "core/replay/redacted.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/strings/str_replace.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

// ":password@" of "s3://user:password@host/path"; "" if there is none.
std::string_view PasswordIn(std::string_view uri) {
  const std::string_view host = ParseUri(uri).host;
  const size_t at = host.rfind('@');
  const size_t colon = host.substr(0, at).find(':');
  if (at == std::string_view::npos || colon == std::string_view::npos) {
    return "";
  }
  return host.substr(colon, at + 1 - colon);
}

}  // namespace

void Redact(JournalCall& call) {
  constexpr char kRedacted[] = ":***@";
  // What is appended is data, whatever it looks like.
  const bool appends = call.op == Op::kWritableFile_append;
  const size_t texts =
      std::min<size_t>(call.arguments.size(), appends ? 1 : SIZE_MAX);
  for (size_t i = 0; i < texts; ++i) {
    const auto* const uri = std::get_if<std::string>(&call.arguments[i]);
    const std::string password(uri == nullptr ? "" : PasswordIn(*uri));
    if (password.empty() || password == kRedacted) continue;
    const auto redact = [&](std::string& text) {
      text = absl::StrReplaceAll(text, {{password, kRedacted}});
    };
    for (size_t k = 0; k < texts; ++k) {
      if (auto* const text = std::get_if<std::string>(&call.arguments[k])) {
        redact(*text);
      }
    }
    for (std::string& each : call.texts) redact(each);
    redact(call.message);
  }
}

}  // namespace fsload
