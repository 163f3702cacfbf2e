#include "core/wrappers/range_check.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/match.h"
#include "core/files/open_op.h"
#include "core/paths/scheme_names.h"
#include "core/system/of_process.h"
#include "core/wrappers/layer.h"
#include "fsload/internal/mutex.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr Op kRead = Op::kRandomAccessFile_read;

// A file that is asked for by its second byte alone.
struct AskedFile {
  std::once_flag asked;
  bool serves_ranges = true;
  absl::Status status;   // of reading it whole
  std::string contents;  // of the whole file
};

struct AskedFiles {
  Mutex mutex;
  // While they are open.
  std::map<std::string, std::shared_ptr<AskedFile>, std::less<>> by_uri
      ABSL_GUARDED_BY(mutex);
};

// Whether the plugin's buffer was too small for the server's answer:
// CURLE_WRITE_ERROR. The answer may be the file or a page about an error.
bool DoesNotFit(absl::string_view message) {
  return absl::StrContains(message, "Unable to perform (23)");
}

class RangeCheckLayer final : public Layer {
 public:
  using Layer::Layer;

  void Pass(LayerCall& call) const override {
    // Relaxed: who does not see the note asks again.
    if (call.op != kRead || call.noted->load(std::memory_order_relaxed)) {
      return call.Forward();
    }
    if (std::get<0>(call.Arguments<kRead>()) == 0) {
      call.Forward();
      if (call.code() == TF_OK || !DoesNotFit(TF_Message(call.status))) return;
    }
    const std::shared_ptr<const AskedFile> file = Ask(std::string(call.uri));
    if (file->serves_ranges) {
      call.noted->store(true, std::memory_order_relaxed);
      return call.Forward();
    }
    if (file->status.ok()) return Copy(*file, call);
    TF_SetStatus(call.status, static_cast<TF_Code>(file->status.raw_code()),
                 std::string(file->status.message()).c_str());
  }

  void PassPlainly(LayerCall& call) const override {
    if (call.op == Op::kRandomAccessFile_cleanup) {
      AskedFiles& files = files_.get();
      const MutexLock lock(files.mutex);
      const auto file = files.by_uri.find(call.uri);
      if (file != files.by_uri.end()) files.by_uri.erase(file);
    }
    call.Forward();
  }

 private:
  static void Copy(const AskedFile& file, LayerCall& call) {
    const auto [offset, n, buffer, status] = call.Arguments<kRead>();
    const size_t begin = std::min<uint64_t>(offset, file.contents.size());
    call.bytes = static_cast<int64_t>(file.contents.copy(buffer, n, begin));
    // L229
    if (static_cast<size_t>(call.bytes) < n) {
      TF_SetStatus(status, TF_OUT_OF_RANGE, "reached the end of the file");
    } else {
      TF_SetStatus(status, TF_OK, "");
    }
  }

  // The threads that read one file wait while one of them asks.
  std::shared_ptr<const AskedFile> Ask(const std::string& uri) const {
    const std::shared_ptr<AskedFile> file = FileOf(uri);
    std::call_once(file->asked, [&] { FillIn(uri, *file); });
    return file;
  }

  std::shared_ptr<AskedFile> FileOf(const std::string& uri) const {
    AskedFiles& files = files_.get();
    const MutexLock lock(files.mutex);
    std::shared_ptr<AskedFile>& file = files.by_uri[uri];
    if (file == nullptr) file = std::make_shared<AskedFile>();
    return file;
  }

  void FillIn(const std::string& uri, AskedFile& asked) const {
    const PathArgument path(uri);
    const auto file = kNewRandomAccessFile.Open(ops(), path, nullptr);
    char byte;
    absl::Status status = file.status();
    if (status.ok()) status = (*file)->Read(1, sizeof(byte), &byte).status();
    if (!DoesNotFit(status.message())) return;
    asked.serves_ranges = false;
    const absl::StatusOr<FileStatistics> found = ops().Stat(path);
    asked.status = found.status();
    if (found.ok()) {
      asked.status = ReadWhole(**file, found->length, asked.contents);
    }
  }

  // `length` is a guess: servers need not tell it.
  static absl::Status ReadWhole(const RandomAccessFile& file, int64_t length,
                                std::string& contents) {
    constexpr int64_t kMin = 1 << 20;
    constexpr int64_t kMax = 256 << 20;
    for (int64_t size = std::max(length, kMin); size <= kMax; size *= 4) {
      contents.resize(size);
      const absl::StatusOr<size_t> read =
          file.Read(0, contents.size(), &contents[0]);
      if (read.ok()) {
        contents.resize(*read);
        return absl::OkStatus();
      }
      if (!DoesNotFit(read.status().message())) return read.status();
    }
    contents = {};
    return UnimplementedError(
        "this server does not serve ranges, and a file of more than {} "
        "MiB is not read without them; fetch it with another tool",
        kMax >> 20);
  }

  mutable OfProcess<AskedFiles> files_;
};

}  // namespace

absl::StatusOr<FileSystemPtr> CheckRanges(FileSystemPtr inner,
                                          std::string_view scheme) {
  const absl::Status checked = CheckInner(inner, "CheckRanges");
  if (!checked.ok()) return checked;
  if (!IsOfWebServers(scheme)) return inner;
  return MakeLayered(std::make_unique<RangeCheckLayer>(std::move(inner)));
}

const FileSystem& WithoutRangeCheck(const FileSystem& file_system) {
  const auto* const check =
      dynamic_cast<const RangeCheckLayer*>(LayerIn(file_system));
  return check == nullptr ? file_system : check->inner();
}

}  // namespace fsload
