#include "loader/conformance/trial_files.h"

#include "loader/conformance/trial.h"
#include "loader/conformance/trial_text.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {

absl::StatusOr<std::string> TrialReader::ReadQuietly(uint64_t offset,
                                                     size_t n) {
  constexpr char kCanary = '\x5a';
  std::string buffer(n + 2, kCanary);
  const auto bytes = file_->Read(offset, n, buffer.data() + 1);
  trial_.Expect(buffer.front() == kCanary && buffer.back() == kCanary,
                Format("read({}, offset {}, n {}) wrote outside of the "
                       "{} bytes of its buffer",
                       Quoted(name_), offset, n, n));
  if (!bytes.ok()) return bytes.status();
  return buffer.substr(1, *bytes);
}

absl::StatusOr<std::string> TrialReader::Read(uint64_t offset, size_t n) {
  return trial_.Recorded(
      Format("read({}, offset {}, n {})", Quoted(name_), offset, n),
      ReadQuietly(offset, n));
}

absl::Status TrialWriter::Append(std::string_view bytes) {
  return trial_.Recorded(Format("append({}, {})", Quoted(name_), Quoted(bytes)),
                         file_->Append(bytes));
}

absl::StatusOr<int64_t> TrialWriter::Tell() {
  return trial_.Recorded(Format("tell({})", Quoted(name_)), file_->Tell());
}

absl::Status TrialWriter::Flush() {
  return trial_.Recorded(Format("flush({})", Quoted(name_)), file_->Flush());
}

absl::Status TrialWriter::Sync() {
  return trial_.Recorded(Format("sync({})", Quoted(name_)), file_->Sync());
}

absl::Status TrialWriter::Close() {
  return trial_.Recorded(Format("close({})", Quoted(name_)), file_->Close());
}

std::string_view TrialRegion::Contents() {
  const std::string_view contents = region_->contents();
  trial_.Record("data and length of the region", Quoted(contents));
  return contents;
}

}  // namespace fsload::conformance
