#include "tools/conformance/journal.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "third_party/fmt/format.h"
#include "tools/text/visible_text.h"

namespace fsload::conformance {
namespace {

using Json = nlohmann::json;

constexpr char kKey[] = "fsload-conformance";

std::string ReadLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Host names are not unique, and containers of one host have processes of their
// own.
std::string Machine() {
  char space[64] = "";
  const ssize_t size = readlink("/proc/self/ns/pid", space, sizeof(space) - 1);
  return ReadLine("/proc/sys/kernel/random/boot_id") + " " +
         std::string(space, size < 0 ? 0 : static_cast<size_t>(size));
}

// In clock ticks since the machine's own; "" if it cannot be read.
std::string StartOf(int process) {
  std::string text = ReadLine(Format("/proc/{}/stat", process));
  // The name, in parentheses, may contain anything.
  text.erase(0, text.rfind(')') + 1);
  const std::vector<std::string> fields = absl::StrSplit(text, ' ');
  constexpr size_t kStart = 20;  // field 22 of proc(5), behind the name
  return fields.size() > kStart ? fields[kStart] : "";
}

bool IsOver(const Owner& owner) {
  if (kill(owner.process, 0) != 0 && errno == ESRCH) return true;
  const std::string start = StartOf(owner.process);
  return !start.empty() && start != owner.start;
}

}  // namespace

Owner OwnerHere(int id, bool kept) {
  char host[256] = "";
  gethostname(host, sizeof(host) - 1);
  return {Visible(host), Machine(), id, StartOf(id), kept};
}

std::string JournalOf(const Owner& owner) {
  const Json journal = {{kKey,
                         {{"host", owner.host},
                          {"machine", owner.machine},
                          {"process", owner.process},
                          {"start", owner.start},
                          {"kept", owner.kept}}}};
  return journal.dump() + "\n";
}

std::optional<Owner> OwnerIn(const std::string& journal) {
  const Json text = Json::parse(journal, nullptr, /*allow_exceptions=*/false);
  if (!text.is_object() || !text.contains(kKey)) return std::nullopt;
  const Json& owner = text[kKey];
  const auto is = [&](const char* key, Json::value_t type) {
    return owner.is_object() && owner.contains(key) &&
           owner[key].type() == type;
  };
  if (!is("host", Json::value_t::string) ||
      !is("machine", Json::value_t::string) ||
      !is("process", Json::value_t::number_unsigned) ||
      !is("start", Json::value_t::string) ||
      !is("kept", Json::value_t::boolean)) {
    return std::nullopt;
  }
  const uint64_t process = owner["process"];
  if (process == 0 || process > INT_MAX) return std::nullopt;
  return Owner{owner["host"], owner["machine"], static_cast<int>(process),
               owner["start"], owner["kept"]};
}

std::string WhyNotOver(const Owner& owner) {
  if (owner.kept) return "an earlier run kept it (--keep)";
  if (owner.machine != Machine()) {
    return Format(
        "process {} of host '{}' is using it, or ended before it could delete "
        "it",
        owner.process, owner.host);
  }
  return IsOver(owner)
             ? ""
             : Format("another run is using it: process {}", owner.process);
}

}  // namespace fsload::conformance
