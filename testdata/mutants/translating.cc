// Mutants that translate names wrongly.
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"
#include "testdata/plugin_memory.h"
#include "testdata/posix/ops.h"

namespace mutants {
namespace {

std::string Taken(char* text) {
  const std::string copy = text;
  plugin_memory::Free(text);
  return copy;
}

// The right translation. That of the memory plugin is the host's default, which
// is that of the posix plugin but for the scheme.
std::string Translated(const TF_Filesystem* fs, std::string uri) {
  constexpr const char* kMemory = "memory://";
  if (uri.compare(0, std::strlen(kMemory), kMemory) == 0) {
    uri.replace(0, std::strlen(kMemory), "posix://");
  }
  return Taken(posix_plugin::TranslateName(fs, uri.c_str()));
}

template <std::string (*change)(std::string path, const std::string& uri)>
void Translates(Tables* tables) {
  tables->fs.translate_name = [](const TF_Filesystem* fs, const char* uri) {
    return plugin_memory::CopyString(change(Translated(fs, uri), uri));
  };
}

bool IsUri(const std::string& uri) {
  return uri.find("://") != std::string::npos;
}

std::string WithoutHost(const std::string& uri) {
  const size_t host = uri.find("://");
  return host == std::string::npos
             ? uri
             : uri.substr(std::min(uri.find('/', host + 3), uri.size()));
}

// Drops a host from what is a path already.
std::string DropsHostAgain(std::string path, const std::string& uri) {
  if (IsUri(uri) || path[0] != '/') return path;
  const size_t slash = path.find('/', 1);
  return slash == std::string::npos ? path : path.substr(slash);
}

std::string DecodesPercent(std::string path, const std::string&) {
  std::string decoded;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '%' && i + 2 < path.size() && std::isxdigit(path[i + 1]) &&
        std::isxdigit(path[i + 2])) {
      decoded += static_cast<char>(
          std::strtol(path.substr(i + 1, 2).c_str(), nullptr, 16));
      i += 2;
    } else {
      decoded += path[i];
    }
  }
  return decoded;
}

std::string KeepsSlashes(std::string path, const std::string& uri) {
  const std::string raw = WithoutHost(uri);
  return raw.find("//") == std::string::npos ? path : raw;
}

std::string KeepsDots(std::string path, const std::string& uri) {
  const std::string raw = WithoutHost(uri);
  return raw.find("/..") == std::string::npos ? path : raw;
}

std::string Lowers(std::string path, const std::string&) {
  for (char& c : path) c = static_cast<char>(std::tolower(c));
  return path;
}

std::string EndsAtQuery(std::string path, const std::string&) {
  return path.substr(0, path.find_first_of("?#"));
}

std::string LastSlashStays(std::string path, const std::string& uri) {
  if (uri.back() == '/' && path.back() != '/') path += '/';
  return path;
}

char* NullForRoot(const TF_Filesystem* fs, const char* uri) {
  const std::string path = Translated(fs, uri);
  return path == "/" ? nullptr : plugin_memory::CopyString(path);
}

char* SameIfPath(const TF_Filesystem* fs, const char* uri) {
  if (!IsUri(uri)) return const_cast<char*>(uri);
  return plugin_memory::CopyString(Translated(fs, uri));
}

char* ForeignMemory(const TF_Filesystem* fs, const char* uri) {
  return strdup(Translated(fs, uri).c_str());
}

char* StaticMemory(const TF_Filesystem* fs, const char* uri) {
  static char buffer[8192];
  std::strncpy(buffer, Translated(fs, uri).c_str(), sizeof(buffer) - 1);
  return buffer;
}

}  // namespace

Changes TranslationChanges() {
  return {
      {"posix.translate-drops-host-again", Translates<DropsHostAgain>},
      {"posix.translate-decodes-percent", Translates<DecodesPercent>},
      {"posix.translate-keeps-slashes", Translates<KeepsSlashes>},
      {"posix.translate-keeps-dots", Translates<KeepsDots>},
      {"posix.translate-root-is-null", Put<&Fs::translate_name, NullForRoot>},
      {"posix.translate-same-if-path", Put<&Fs::translate_name, SameIfPath>},
      {"posix.translate-foreign-memory",
       Put<&Fs::translate_name, ForeignMemory>},
      {"memory.translate-lowers", Translates<Lowers>},
      {"memory.translate-ends-at-query", Translates<EndsAtQuery>},
      {"memory.translate-keeps-last-slash", Translates<LastSlashStays>},
      {"memory.translate-static-memory",
       Put<&Fs::translate_name, StaticMemory>},
  };
}

}  // namespace mutants
