#include "loader/trust/trust.h"

#include <sha2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/system/descriptor.h"
#include "core/system/read_all.h"
#include "loader/trust/file_owners.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr off_t kMaxListBytes = off_t{16} << 20;
constexpr size_t kSumDigits = SHA256_DIGEST_LENGTH * 2;
constexpr size_t kBlock = size_t{1} << 20;

bool AddUnreliable(const std::string& path, std::string_view problem,
                   Findings& findings, int error = 0) {
  findings.AddRefusal(
      RuleId::kAllowListReadable, error,
      Format("cannot use the allow list '{}': {}; no plugin is allowed", path,
             problem));
  return false;
}

// The file's contents; none, with a finding, if they cannot be trusted.
std::optional<std::string> ReadList(const std::string& path,
                                    Findings& findings) {
  const Descriptor list = OpenToRead(path);
  struct stat file;
  if (!list.ok() || fstat(list.get(), &file) != 0) {
    AddUnreliable(path, strerror(errno), findings, errno);
    return std::nullopt;
  }
  std::optional<std::string> text;
  if (!S_ISREG(file.st_mode)) {
    AddUnreliable(path, "it is not a regular file", findings);
  } else if (file.st_size > kMaxListBytes) {
    AddUnreliable(path, Format("it has {} bytes", file.st_size), findings);
  } else {
    text.emplace();
    if (!ReadAll(list.get(), kMaxListBytes, *text)) {
      AddUnreliable(path, strerror(errno), findings, errno);
      return std::nullopt;
    }
  }
  Findings owners;
  CheckOwners(list.get(), path, owners);
  if (text.has_value() && !owners.all().empty()) {
    AddUnreliable(path,
                  owners.all().front().rule == RuleId::kFileNotWorldWritable
                      ? "it is world-writable"
                      : "it is in a world-writable directory, or was "
                        "replaced just now",
                  findings);
    text.reset();
  }
  return text;
}

bool IsDigit(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f');
}

// Whether `line` begins with a sum and continues like sha256sum's output, or
// ends there.
bool IsEntry(std::string_view line) {
  return line.size() >= kSumDigits &&
         std::all_of(line.begin(), line.begin() + kSumDigits, IsDigit) &&
         (line.size() == kSumDigits || line[kSumDigits] == ' ');
}

// The sums in a list; none, with a finding, if a line is anything else: an
// entry with a typo would forbid what it should allow.
std::optional<std::set<std::string_view>> ParseList(std::string_view text,
                                                    const std::string& path,
                                                    Findings& findings) {
  std::set<std::string_view> sums;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty() || line[0] == '#') continue;
    if (!IsEntry(line)) {
      AddUnreliable(
          path,
          Format("line {} is not a SHA-256 sum of {} lower-case hexadecimal "
                 "digits",
                 number, kSumDigits),
          findings);
      return std::nullopt;
    }
    sums.insert(line.substr(0, kSumDigits));
  }
  return sums;
}

// The sum of `size` bytes, which `read` supplies in parts.
std::string SumOf(size_t size,
                  const std::function<std::string(size_t, size_t)>& read) {
  SHA2_CTX context;
  SHA256Init(&context);
  for (size_t offset = 0; offset < size; offset += kBlock) {
    const std::string block = read(offset, std::min(kBlock, size - offset));
    SHA256Update(&context, reinterpret_cast<const uint8_t*>(block.data()),
                 block.size());
  }
  char digits[SHA256_DIGEST_STRING_LENGTH];
  return SHA256End(&context, digits);
}

// Whether `sum` is on the list; `subject` is how the finding calls it.
bool CheckSum(const std::string& sum, std::string_view subject,
              const Trust& trust, Findings& findings) {
  const std::optional<std::string> text = ReadList(trust.allow_list, findings);
  if (!text.has_value()) return false;
  const auto sums = ParseList(*text, trust.allow_list, findings);
  if (!sums.has_value()) return false;
  if (sums->count(sum) > 0) return true;
  findings.Add(RuleId::kAllowed,
               Format("{}, {}, is not in the allow list '{}'; add it if "
                      "you trust the file",
                      subject, sum, trust.allow_list));
  return false;
}

}  // namespace

std::string SumOf(const PrivateCopy& contents) {
  return SumOf(contents.bytes().size(), [&](size_t offset, size_t size) {
    return contents.Original(offset, size);
  });
}

bool CheckAllowed(const PrivateCopy& contents, const Trust& trust,
                  Findings& findings) {
  if (trust.allow_list.empty()) return true;
  return CheckSum(SumOf(contents), "its SHA-256", trust, findings);
}

bool CheckFileAllowed(int fd, const std::string& path, const Trust& trust,
                      Findings& findings) {
  if (trust.allow_list.empty()) return true;
  struct stat file = {};
  fstat(fd, &file);
  const std::string sum = SumOf(file.st_size, [&](size_t offset, size_t size) {
    std::string block(size, '\0');
    const ssize_t got =
        pread(fd, block.data(), size, static_cast<off_t>(offset));
    block.resize(std::max<ssize_t>(got, 0));
    return block;
  });
  return CheckSum(sum, Format("the SHA-256 of the library '{}'", path), trust,
                  findings);
}

}  // namespace fsload
