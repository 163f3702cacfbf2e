#include "core/replay/redacted.h"

#include <string_view>

#include "absl/strings/str_replace.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

// "user:password@" of "s3://user:password@host/path"; "" if there is none.
std::string_view LoginOf(std::string_view uri) {
  const std::string_view host = ParseUri(uri).host;
  const size_t at = host.rfind('@');
  return at == std::string_view::npos ? "" : host.substr(0, at + 1);
}

}  // namespace

void Redact(JournalCall& call) {
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const auto* const uri = std::get_if<std::string>(&call.arguments[i]);
    const std::string login(uri == nullptr ? "" : LoginOf(*uri));
    if (login.empty() || login == "***@") continue;
    const auto redact = [&login](std::string& text) {
      text = absl::StrReplaceAll(text, {{login, "***@"}});
    };
    for (JournalArgument& each : call.arguments) {
      if (auto* const text = std::get_if<std::string>(&each)) redact(*text);
    }
    for (std::string& each : call.texts) redact(each);
    redact(call.message);
  }
}

}  // namespace fsload
