// fsload ls, cat and stat.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/file_system.h"
#include "tools/commands.h"
#include "tools/output.h"
#include "tools/session.h"

namespace fsload {
namespace {

using Verb = std::function<absl::Status(const FileSystem&, const std::string&)>;

absl::Status List(const FileSystem& file_system, const std::string& uri) {
  absl::StatusOr<std::vector<std::string>> children =
      file_system.GetChildren(uri);
  if (!children.ok()) return children.status();
  std::sort(children->begin(), children->end());
  for (const std::string& child : *children) Print(child + "\n");
  return absl::OkStatus();
}

absl::Status Cat(const FileSystem& file_system, const std::string& uri) {
  constexpr size_t kBlock = size_t{1} << 20;
  const absl::StatusOr<std::unique_ptr<RandomAccessFile>> file =
      file_system.NewRandomAccessFile(uri);
  if (!file.ok()) return file.status();
  std::string block(kBlock, '\0');
  for (uint64_t offset = 0;;) {
    const absl::StatusOr<size_t> bytes =
        (*file)->Read(offset, block.size(), block.data());
    if (!bytes.ok()) return bytes.status();
    const bool printed = Print({block.data(), *bytes});
    if (!printed || *bytes < block.size()) return absl::OkStatus();
    offset += *bytes;
  }
}

std::string TimeText(int64_t nanoseconds) {
  constexpr int64_t kPerSecond = 1'000'000'000;
  int64_t seconds = nanoseconds / kPerSecond;
  int64_t rest = nanoseconds % kPerSecond;
  if (rest < 0) {
    rest += kPerSecond;
    --seconds;
  }
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:09}Z",
                     fmt::gmtime(static_cast<std::time_t>(seconds)), rest);
}

absl::Status ShowStatistics(const FileSystem& file_system,
                            const std::string& uri) {
  const absl::StatusOr<FileStatistics> statistics = file_system.Stat(uri);
  if (!statistics.ok()) return statistics.status();
  Print(fmt::format("type    {}\nlength  {}\nmtime   {}\n",
                    statistics->is_directory ? "directory" : "file",
                    statistics->length, TimeText(statistics->mtime_nsec)));
  return absl::OkStatus();
}

absl::Status Run(const Verb& verb, const std::string& plugin,
                 const std::string& uri) {
  Session session;
  const absl::StatusOr<std::shared_ptr<FileSystem>> file_system =
      session.Open(plugin, uri);
  if (!file_system.ok()) return file_system.status();
  return verb(**file_system, uri);
}

void AddVerb(CLI::App& app, int& exit_code, const char* name,
             const char* description, const Verb& verb) {
  const auto plugin = std::make_shared<std::string>();
  const auto uri = std::make_shared<std::string>();
  CLI::App* const command = app.add_subcommand(name, description);
  command
      ->add_option(
          "--plugin", *plugin,
          "A shared object, a wheel or a folder of them to load first, or a "
          "name of `fsload plugins`")
      ->check(&RefuseEmpty);
  command->add_option("uri", *uri, "A URI, or a local path")->required();
  command->callback([=, &exit_code] {
    const absl::Status status = Run(verb, *plugin, *uri);
    if (!status.ok()) PrintError(status);
    exit_code = status.ok() ? kVerified : kFindings;
  });
}

}  // namespace

void AddList(CLI::App& app, int& exit_code) {
  AddVerb(app, exit_code, "ls", "List a directory, one name a line", List);
}

void AddCat(CLI::App& app, int& exit_code) {
  AddVerb(app, exit_code, "cat", "Write a file to standard output", Cat);
}

void AddStat(CLI::App& app, int& exit_code) {
  AddVerb(app, exit_code, "stat", "Show what is at a path", ShowStatistics);
}

}  // namespace fsload
