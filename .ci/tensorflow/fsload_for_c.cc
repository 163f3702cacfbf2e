#include ".ci/tensorflow/fsload_for_c.h"

#include <memory>
#include <string>

#include "fsload/by_uri.h"
#include "fsload/plugin_loader.h"

namespace {

const char* Answer(const absl::Status& status, const std::string& text) {
  thread_local std::string answer;
  answer = status.ok() ? "OK " + text : status.ToString();
  return answer.c_str();
}

absl::StatusOr<std::string> Read(const std::string& uri) {
  auto file = fsload::NewRandomAccessFile(uri);
  if (!file.ok()) return file.status();
  std::string text(1 << 20, '\0');
  const absl::StatusOr<size_t> bytes =
      (*file)->Read(0, text.size(), text.data());
  if (!bytes.ok()) return bytes.status();
  text.resize(*bytes);
  return text;
}

absl::Status Write(const std::string& uri, const std::string& text) {
  auto file = fsload::NewWritableFile(uri);
  if (!file.ok()) return file.status();
  absl::Status status = (*file)->Append(text);
  status.Update((*file)->Close());
  return status;
}

}  // namespace

const char* FsloadLoad(const char* path) {
  fsload::LoadOptions options;
  options.missing_symbols = fsload::MissingSymbols::kStandIn;
  const fsload::LoadReport report = fsload::LoadPlugin(path, options);
  std::string text =
      report.status_provider + " " + std::to_string(report.stand_ins.size());
  for (const fsload::SchemeReport& scheme : report.schemes) {
    if (scheme.registered) text += " " + scheme.scheme;
  }
  return Answer(report.status, text);
}

const char* FsloadRead(const char* uri) {
  const absl::StatusOr<std::string> text = Read(uri);
  return Answer(text.status(), text.ok() ? *text : "");
}

const char* FsloadWrite(const char* uri, const char* text) {
  return Answer(Write(uri, text), "");
}

const char* FsloadSize(const char* uri) {
  const absl::StatusOr<int64_t> size = fsload::GetFileSize(uri);
  return Answer(size.status(), size.ok() ? std::to_string(*size) : "");
}

const char* FsloadEnd() {
  return Answer(fsload::SchemeRegistry::Default().RetireAll(), "");
}
