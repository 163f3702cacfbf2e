#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fsload/file_system.h"
#include "loader/conformance/target.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

class FacadeRead final : public ReadTarget {
 public:
  explicit FacadeRead(std::unique_ptr<RandomAccessFile> file)
      : file_(std::move(file)) {}

  absl::StatusOr<size_t> Read(uint64_t offset, size_t n,
                              char* buffer) override {
    return file_->Read(offset, n, buffer);
  }

 private:
  const std::unique_ptr<RandomAccessFile> file_;
};

class FacadeWrite final : public WriteTarget {
 public:
  explicit FacadeWrite(std::unique_ptr<WritableFile> file)
      : file_(std::move(file)) {}

  absl::Status Append(std::string_view bytes) override {
    return file_->Append(bytes);
  }
  absl::StatusOr<int64_t> Tell() override { return file_->Tell(); }
  absl::Status Flush() override { return file_->Flush(); }
  absl::Status Sync() override { return file_->Sync(); }
  absl::Status Close() override { return file_->Close(); }
  void Abandon() override { file_->Discard(); }

 private:
  const std::unique_ptr<WritableFile> file_;
};

class FacadeRegion final : public RegionTarget {
 public:
  explicit FacadeRegion(std::unique_ptr<ReadOnlyMemoryRegion> region)
      : region_(std::move(region)) {}

  std::string_view contents() override {
    return {static_cast<const char*>(region_->data()),
            static_cast<size_t>(region_->length())};
  }

 private:
  const std::unique_ptr<ReadOnlyMemoryRegion> region_;
};

class FacadeTransactions final : public TransactionTarget {
 public:
  explicit FacadeTransactions(const FileSystem& fs) : fs_(fs) {}

  absl::StatusOr<TransactionToken> Start() override {
    auto started = fs_.StartTransaction();
    if (!started.ok()) return started.status();
    const TransactionToken token = started->token();
    if (started_.count(token) != 0) {
      return InternalError("start_transaction: the token is in use");
    }
    started_.emplace(token, *std::move(started));
    return token;
  }
  absl::Status End(TransactionToken token) override {
    const auto started = started_.find(token);
    if (started == started_.end()) return fs_.EndTransaction(token);
    const absl::Status status = started->second.End();
    started_.erase(started);
    return status;
  }
  absl::Status Add(const std::string& uri, TransactionToken token) override {
    return fs_.AddToTransaction(uri, token);
  }
  absl::StatusOr<TransactionToken> Find(const std::string& uri) override {
    return fs_.GetTransactionForPath(uri);
  }
  absl::StatusOr<TransactionToken> FindOrStart(
      const std::string& uri) override {
    return fs_.GetTokenOrStartTransaction(uri);
  }
  absl::StatusOr<std::string> Decode(TransactionToken token) override {
    return fs_.DecodeTransaction(token);
  }

 private:
  const FileSystem& fs_;
  std::map<TransactionToken, Transaction> started_;
};

class FacadeOptions final : public OptionsTarget {
 public:
  explicit FacadeOptions(const FileSystem& fs) : fs_(fs) {}

  absl::StatusOr<std::vector<ConfigurationOption>> GetAll() override {
    return fs_.GetFilesystemConfiguration();
  }
  absl::Status SetAll(
      const std::vector<ConfigurationOption>& options) override {
    return fs_.SetFilesystemConfiguration(options);
  }
  absl::StatusOr<ConfigurationOption> Get(const std::string& name) override {
    return fs_.GetFilesystemConfigurationOption(name);
  }
  absl::Status Set(const ConfigurationOption& option) override {
    return fs_.SetFilesystemConfigurationOption(option);
  }
  absl::StatusOr<std::vector<std::string>> Keys() override {
    return fs_.GetFilesystemConfigurationKeys();
  }

 private:
  const FileSystem& fs_;
};

class FacadeTarget final : public Target {
 public:
  explicit FacadeTarget(const FileSystem& fs)
      : fs_(fs), transactions_(fs), options_(fs) {}

  Opened<ReadTarget> Open(const std::string& uri) override {
    return Wrap<FacadeRead>(fs_.NewRandomAccessFile(uri));
  }
  Opened<WriteTarget> Create(const std::string& uri) override {
    return Wrap<FacadeWrite>(fs_.NewWritableFile(uri));
  }
  Opened<WriteTarget> OpenToAppend(const std::string& uri) override {
    return Wrap<FacadeWrite>(fs_.NewAppendableFile(uri));
  }
  Opened<RegionTarget> Map(const std::string& uri) override {
    return Wrap<FacadeRegion>(fs_.NewReadOnlyMemoryRegionFromFile(uri));
  }

  absl::Status PathExists(const std::string& uri) override {
    return fs_.FileExists(uri);
  }
  std::vector<absl::Status> PathsExist(
      const std::vector<std::string>& uris) override {
    return fs_.FilesExist(uris);
  }
  absl::StatusOr<FileStatistics> Stat(const std::string& uri) override {
    return fs_.Stat(uri);
  }
  absl::StatusOr<bool> IsDirectory(const std::string& uri) override {
    return fs_.IsDirectory(uri);
  }
  absl::StatusOr<int64_t> GetFileSize(const std::string& uri) override {
    return fs_.GetFileSize(uri);
  }
  absl::StatusOr<std::vector<std::string>> GetChildren(
      const std::string& uri) override {
    return fs_.GetChildren(uri);
  }
  absl::StatusOr<std::vector<std::string>> GetMatchingPaths(
      const std::string& pattern) override {
    return fs_.GetMatchingPaths(pattern);
  }
  absl::StatusOr<std::string> TranslateName(const std::string& uri) override {
    return fs_.TranslateName(uri);
  }

#define FSLOAD_ON_PATH(op, method)                       \
  absl::Status method(const std::string& uri) override { \
    return fs_.method(uri);                              \
  }
#define FSLOAD_ON_PATHS(op, method)                                   \
  absl::Status method(const std::string& src, const std::string& dst) \
      override {                                                      \
    return fs_.method(src, dst);                                      \
  }
  FSLOAD_FOR_EACH_CHANGE(FSLOAD_ON_PATH, FSLOAD_ON_PATHS)
#undef FSLOAD_ON_PATHS
#undef FSLOAD_ON_PATH
  absl::Status DeleteRecursively(const std::string& uri,
                                 Undeleted& undeleted) override {
    return fs_.DeleteRecursively(uri, &undeleted);
  }
  absl::Status FlushCaches() override { return fs_.FlushCaches(); }

  TransactionTarget& transactions() override { return transactions_; }
  OptionsTarget& options() override { return options_; }

 private:
  template <typename Wrapper, typename File>
  static Opened<Wrapper> Wrap(absl::StatusOr<std::unique_ptr<File>> file) {
    if (!file.ok()) return file.status();
    return std::make_unique<Wrapper>(*std::move(file));
  }

  const FileSystem& fs_;
  FacadeTransactions transactions_;
  FacadeOptions options_;
};

}  // namespace

std::unique_ptr<Target> MakeFacadeTarget(const FileSystem& file_system) {
  return std::make_unique<FacadeTarget>(file_system);
}

}  // namespace fsload::conformance
