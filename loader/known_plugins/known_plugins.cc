#include "loader/known_plugins/known_plugins.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "loader/elf/elf_image.h"
#include "loader/rules/findings.h"
#include "loader/trust/base_name.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr std::string_view kGsSchemes[] = {"gs"};
constexpr std::string_view kIoSchemes[] = {"az",   "http",   "https", "s3",
                                           "hdfs", "viewfs", "har",   "oss"};

constexpr KnownPlugin kPlugins[] = {
    {"tensorflow-io-gcs-filesystem", "0.37.1",
     "tensorflow_io_gcs_filesystem/core/python/ops/"
     "libtensorflow_io_gcs_filesystem.so",
     "10tensorflow2io2gs17tf_gcs_filesystem", kGsSchemes},
    {"tensorflow-io", "0.37.1",
     "tensorflow_io/python/ops/libtensorflow_io_plugins.so",
     "10tensorflow2io2s316tf_s3_filesystem", kIoSchemes},
};

// In the name of a function that only the bundled plugin exports.
constexpr std::string_view kBundledSymbol = "6fsload20bundled_posix_plugin";

constexpr std::string_view kGsFile = "libtensorflow_io_gcs_filesystem.so";
constexpr std::string_view kIoFile = "libtensorflow_io_plugins.so";

constexpr char kDeletesTargetFirst[] =
    "it deletes the target before it looks for the source";

constexpr KnownDeviation kDeviations[] = {
    {kGsFile, "gs", Op::kFilesystem_delete_recursively,
     "it reports success if it has deleted the last file, whatever it could "
     "not delete before",
     false, "looks at its counts of what is left"},
    {kIoFile, "s3", Op::kFilesystem_rename_file,
     "it renames every key that begins with the source's", true,
     "copies, verifies and deletes"},
    {kIoFile, "s3", Op::kFilesystem_copy_file,
     "it loses the last bytes of files that it copies in parts (of 104857601 "
     "bytes, for one)",
     true, "reads and writes"},
    {kIoFile, "s3", Op::kFilesystem_stat,
     "it reports NOT_FOUND for denied access and for failing servers", false,
     "reads the file too, and lists"},
    {kIoFile, "s3", Op::kRandomAccessFile_read,
     "after a failed response it appends the next one to that one's bytes",
     false, "sets S3_DISABLE_MULTI_PART_DOWNLOAD"},
    {kIoFile, "s3", Op::kRandomAccessFile_read,
     "with S3_DISABLE_MULTI_PART_DOWNLOAD it crashes where a read begins at "
     "the end of a file",
     false, "replaces the call that crashes"},
    {kIoFile, "s3", Op::kWritableFile_close,
     "it sends a file again after a failed upload without going back to the "
     "file's beginning, so it sends what a buffer holds: bytes of another file",
     false, "goes back to the beginning"},
    {kIoFile, "s3", Op::kWritableFile_close,
     "it stores no file to which nothing was appended", false,
     "appends nothing first"},
    {kIoFile, "az", Op::kFilesystem_delete_recursively,
     "it deletes every file whose name begins with the directory's", true,
     "deletes what it has listed"},
    {kIoFile, "az", Op::kFilesystem_new_appendable_file, "it replaces the file",
     true, "refuses"},
    {kIoFile, "hdfs", Op::kFilesystem_rename_file, kDeletesTargetFirst, true,
     "copies, verifies and deletes"},
    {kIoFile, "viewfs", Op::kFilesystem_rename_file, kDeletesTargetFirst, true,
     "copies, verifies and deletes"},
};

// What is known of plugins. Those that are not untested change only what they
// are asked to, but for kDeviations.
struct TraitsRow {
  std::string_view plugin;
  std::string_view scheme;
  PluginTraits traits;
};

constexpr PluginTraits TraitsOfGs() {
  PluginTraits traits;
  traits.replaces_atomically = true;
  traits.crosses_hosts = true;
  return traits;
}

constexpr PluginTraits TraitsOfS3() {
  PluginTraits traits = TraitsOfGs();
  traits.reading_tells = true;
  traits.deletes_by_name = true;
  traits.forgets_empty_files = true;
  traits.hides_unavailable = true;
  return traits;
}

constexpr PluginTraits TraitsOfPosix() {
  PluginTraits traits;
  traits.is_exact = true;
  traits.has_local_paths = true;
  traits.reading_tells = true;
  traits.crosses_hosts = true;
  return traits;
}

constexpr PluginTraits TraitsOfAz() {
  PluginTraits traits;
  traits.is_untested = true;
  traits.has_no_links = true;
  traits.counts_from_year_1 = true;
  return traits;
}

constexpr PluginTraits TraitsOfHdfs() {
  PluginTraits traits;
  traits.is_untested = true;
  traits.has_no_links = true;
  traits.empty_listing_sets_errno = true;
  return traits;
}

constexpr TraitsRow kTraits[] = {
    {kGsFile, "gs", TraitsOfGs()},
    {kIoFile, "s3", TraitsOfS3()},
    {kIoFile, "az", TraitsOfAz()},
    {kIoFile, "hdfs", TraitsOfHdfs()},
    {kIoFile, "viewfs", TraitsOfHdfs()},
    {kBundledPluginName, "", TraitsOfPosix()},
    {kBundledPluginName, "posix", TraitsOfPosix()},
};

// What is not used of any other plugin: fsload does the same with operations
// that change one file each. Why: docs/verbs.md, "Unknown plugins".
constexpr Op kNotUsedUntested[] = {
    Op::kFilesystem_new_appendable_file, Op::kFilesystem_recursively_create_dir,
    Op::kFilesystem_delete_recursively,  Op::kFilesystem_rename_file,
    Op::kFilesystem_copy_file,
};
constexpr char kUntested[] = "fsload has not tested this plugin";

// As seen in a trace of getenv, for the versions above.

constexpr auto kRequired = VariableNeed::kRequired;
constexpr auto kAdvised = VariableNeed::kAdvised;
constexpr auto kOptional = VariableNeed::kOptional;
constexpr auto kSet = VariableNeed::kSet;

// The plugin takes the length of these without checking whether they are set.
constexpr std::string_view kGsCrash =
    "the plugin crashes on first use (SIGSEGV: it reads a null pointer)";

constexpr KnownVariable kGsVariables[] = {
    {"GCS_READ_CACHE_BLOCK_SIZE_MB", kRequired, "read cache block size, MiB",
     kGsCrash, "1"},
    {"GCS_READ_CACHE_MAX_SIZE_MB", kRequired, "read cache size, MiB", kGsCrash,
     "16"},
    {"GCS_READ_CACHE_MAX_STALENESS", kRequired,
     "maximum age in the read cache, s", kGsCrash, "1"},
    {"GCS_STAT_CACHE_MAX_AGE", kRequired, "maximum age in the stat cache, s",
     kGsCrash, "1"},
    {"GCS_STAT_CACHE_MAX_ENTRIES", kRequired, "entries in the stat cache",
     kGsCrash, "100"},
    {"GOOGLE_APPLICATION_CREDENTIALS", kAdvised, "a service account's JSON",
     "the machine's service account is looked up, which is slow outside Google "
     "Cloud",
     "/path/to/account.json"},
    {"GCS_APPEND_MODE", kOptional, "\"compose\" appends without a copy",
     "appending uploads the file again", "compose"},
    {"CLOUD_STORAGE_EMULATOR_ENDPOINT", kOptional, "another server than Google",
     "", ""},
    {"GOOGLE_CLOUD_PROJECT", kOptional, "", "", ""},
    {"http_proxy", kOptional, "", "", ""},
};

constexpr KnownVariable kS3Variables[] = {
    {"AWS_ACCESS_KEY_ID", kAdvised, "access key",
     "~/.aws/credentials is read, then the machine's role is looked up, which "
     "is slow outside AWS",
     ""},
    {"AWS_SECRET_ACCESS_KEY", kAdvised, "secret key", "see AWS_ACCESS_KEY_ID",
     ""},
    {"AWS_REGION", kAdvised, "the bucket's region",
     "~/.aws/config is read; the default is us-east-1", "us-east-1"},
    {"S3_ENDPOINT", kOptional, "another server than AWS", "", ""},
    {"S3_VERIFY_SSL", kOptional, "0: certificates are not verified", "", ""},
    {"S3_CA_FILE", kOptional, "certificates to trust", "", ""},
    {"S3_CA_PATH", kOptional, "the same, as a directory", "", ""},
    {"S3_CONNECT_TIMEOUT_MSEC", kOptional, "", "", ""},
    {"S3_REQUEST_TIMEOUT_MSEC", kOptional, "", "", ""},
    {"S3_DISABLE_MULTI_PART_DOWNLOAD", kSet,
     "1: each read is one request (fsload sets it)",
     "bytes of a failed response stay in front of the next one's, and no error "
     "is reported",
     "1"},
    {"S3_MULTI_PART_UPLOAD_CHUNK_SIZE", kOptional,
     "bytes of each part of an upload (the command sets it)",
     "52428800: up to 1.3 GiB of memory, as the plugin sends 26 parts at once",
     "8388608"},
    {"AWS_SESSION_TOKEN", kOptional, "", "", ""},
    {"AWS_PROFILE", kOptional, "", "", ""},
    {"AWS_EC2_METADATA_DISABLED", kOptional,
     "\"true\": the machine's account is not looked up", "", ""},
    {"AWS_LOG_LEVEL", kOptional, "", "", ""},
};

constexpr KnownVariable kAzVariables[] = {
    {"TF_AZURE_STORAGE_KEY", kAdvised, "the storage account's key",
     "only public data can be read, unless TF_AZURE_STORAGE_SAS is set", ""},
    {"TF_AZURE_STORAGE_SAS", kOptional,
     "the same, a token; also with _<account>_ or _<account>_<container>_ "
     "before SAS",
     "", ""},
    {"TF_AZURE_STORAGE_BLOB_ENDPOINT", kOptional, "another server than Azure",
     "", ""},
    {"TF_AZURE_STORAGE_USE_HTTP", kOptional, "", "", ""},
    {"TF_AZURE_USE_DEV_STORAGE", kOptional, "1: the emulator on this machine",
     "", ""},
    {"https_proxy", kOptional, "", "", ""},
};

constexpr KnownVariable kHttpVariables[] = {
    {"CURL_CA_BUNDLE", kOptional, "certificates to trust", "", ""},
    {"http_proxy", kOptional, "", "", ""},
    {"no_proxy", kOptional, "", "", ""},
};

constexpr KnownVariable kHdfsVariables[] = {
    {"HADOOP_HDFS_HOME", kAdvised,
     "where Hadoop is: contains lib/native/libhdfs.so",
     "libhdfs.so is looked up where the dynamic linker looks", "/opt/hadoop"},
    {"JAVA_HOME", kAdvised, "where Java is, which libhdfs.so runs",
     "libjvm.so is looked up where the dynamic linker looks",
     "/usr/lib/jvm/default-java"},
    {"CLASSPATH", kAdvised, "Hadoop's Java classes",
     "libhdfs.so finds none of its classes, and fails",
     "$(hadoop classpath --glob)"},
    {"HDFS_DISABLE_READ_EOF_RETRIED", kOptional, "", "", ""},
};

constexpr std::string_view kHdfsLibrary = "libhdfs.so";

struct SchemeRow {
  std::string_view scheme;
  absl::Span<const KnownVariable> variables;
  std::string_view library;
  KnownServer server = {};
  KnownParts parts = {};
};

constexpr SchemeRow kSchemes[] = {
    {"gs",
     kGsVariables,
     "",
     {"CLOUD_STORAGE_EMULATOR_ENDPOINT", "https://storage.googleapis.com"}},
    {"s3",
     kS3Variables,
     "",
     {"S3_ENDPOINT", "https://s3.*.amazonaws.com", "AWS_REGION"},
     {"S3_MULTI_PART_UPLOAD_CHUNK_SIZE", 8 << 20, 50 << 20, 10'000}},
    {"az", kAzVariables, ""},
    {"http", kHttpVariables, ""},
    {"https", kHttpVariables, ""},
    {"hdfs", kHdfsVariables, kHdfsLibrary},
    {"viewfs", kHdfsVariables, kHdfsLibrary},
    {"har", kHdfsVariables, kHdfsLibrary},
};

constexpr SchemeRow kUnknownScheme = {"", {}, ""};

const SchemeRow& RowOf(std::string_view scheme) {
  for (const SchemeRow& row : kSchemes) {
    if (row.scheme == scheme) return row;
  }
  return kUnknownScheme;
}

}  // namespace

absl::Span<const KnownPlugin> KnownPlugins() { return kPlugins; }

const KnownPlugin* KnownPluginFor(std::string_view scheme) {
  for (const KnownPlugin& plugin : kPlugins) {
    if (std::find(plugin.schemes.begin(), plugin.schemes.end(), scheme) !=
        plugin.schemes.end()) {
      return &plugin;
    }
  }
  return nullptr;
}

const KnownPlugin* KnownPluginAt(std::string_view path) {
  for (const KnownPlugin& plugin : kPlugins) {
    if (BaseName(plugin.path) == BaseName(path)) return &plugin;
  }
  return nullptr;
}

absl::Span<const KnownDeviation> KnownDeviations() { return kDeviations; }

std::string_view KnownNameOf(absl::Span<const char> contents) {
  Findings ignored;
  const std::optional<ElfImage> image =
      ElfImage::Parse(contents, nullptr, ignored);
  if (!image.has_value()) return "";
  const std::string_view names =
      std::string_view(contents.data(), contents.size())
          .substr(std::min(image->strings_offset(), contents.size()),
                  image->strings_bytes());
  const auto exports = [names](std::string_view symbol) {
    return memmem(names.data(), names.size(), symbol.data(), symbol.size()) !=
           nullptr;
  };
  for (const KnownPlugin& plugin : kPlugins) {
    if (exports(plugin.symbol)) return BaseName(plugin.path);
  }
  return exports(kBundledSymbol) ? kBundledPluginName : "";
}

// A table that is full would keep operations in use that damage data.
constexpr bool HasRoomForDisabled() {
  for (const KnownDeviation& each : kDeviations) {
    size_t disabled = std::size(kNotUsedUntested);
    for (const KnownDeviation& row : kDeviations) {
      disabled += row.plugin == each.plugin && row.scheme == each.scheme &&
                  row.disabled;
    }
    if (disabled > PluginTraits::kMaxDisabled) return false;
  }
  return true;
}
static_assert(HasRoomForDisabled(), "raise PluginTraits::kMaxDisabled");

PluginTraits TraitsOf(std::string_view name, std::string_view scheme,
                      bool trust_untested) {
  PluginTraits traits;
  traits.is_untested = true;
  for (const TraitsRow& row : kTraits) {
    if (row.plugin == name && row.scheme == scheme) traits = row.traits;
  }
  int disabled = 0;
  for (const KnownDeviation& row : kDeviations) {
    if (row.plugin != name || row.scheme != scheme || !row.disabled) continue;
    traits.disabled[disabled++] = {row.op, row.effect};
  }
  if (trust_untested) traits.is_untested = false;
  if (!traits.is_untested) return traits;
  for (const Op op : kNotUsedUntested) {
    if (WhyDisabled(traits, op) != nullptr) continue;
    traits.disabled[disabled++] = {op, kUntested};
  }
  return traits;
}

std::string InstallCommand(const KnownPlugin& plugin) {
  return Format("pip install {}=={}", plugin.package, plugin.version);
}

absl::Span<const KnownVariable> KnownVariablesOf(std::string_view scheme) {
  return RowOf(scheme).variables;
}

KnownServer ServerOf(std::string_view scheme) { return RowOf(scheme).server; }

KnownParts PartsOf(std::string_view scheme) { return RowOf(scheme).parts; }

int64_t PartsFor(int64_t bytes, int64_t part) {
  return bytes / part + (bytes % part == 0 ? 0 : 1);
}

int64_t PartBytesFor(int64_t bytes, const KnownParts& parts) {
  constexpr int64_t kMebibyte = 1 << 20;
  const int64_t enough =
      PartsFor(PartsFor(bytes, parts.most), kMebibyte) * kMebibyte;
  return std::max(parts.bytes, enough);
}

std::string_view LibraryOpenedBy(std::string_view scheme) {
  return RowOf(scheme).library;
}

}  // namespace fsload
