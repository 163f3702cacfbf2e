#include "tools/files/verb.h"

#include <memory>
#include <string>

#include "tools/files/interruption.h"
#include "tools/files/verb_runner.h"
#include "tools/plugin_name.h"

namespace fsload {

void VerbRun::ForEachUri(
    const std::function<absl::Status(const FileSystem&, const std::string&)>&
        work) {
  for (const std::string& uri : options_.uris) {
    absl::Status status = CheckInterruption();
    if (status.ok()) {
      const absl::StatusOr<std::shared_ptr<FileSystem>> file_system =
          FileSystemFor(uri);
      status =
          file_system.ok() ? work(**file_system, uri) : file_system.status();
    }
    if (status.ok()) continue;
    output_.Fail(uri, status);
    if (!options_.continue_on_error || absl::IsCancelled(status)) return;
  }
}

CLI::App* AddVerb(CLI::App& app, int& exit_code,
                  const VerbDescription& description, const Verb& verb) {
  const auto options = std::make_shared<VerbOptions>();
  CLI::App* const command =
      app.add_subcommand(description.name, description.description);
  command
      ->add_option("--plugin", options->plugin,
                   "The plugin to use: a path, a folder, a wheel or a name")
      ->check(&RefuseEmpty);
  command->add_option("uri", options->uris, description.uris)
      ->required()
      ->expected(static_cast<int>(description.least_uris),
                 description.most_uris > 1'000'000
                     ? 1'000'000
                     : static_cast<int>(description.most_uris));
  command->add_flag("--json", options->json,
                    "Print one JSON object a line (docs/verbs.md)");
  command->add_flag("--explain", options->explain,
                    "Say which operations were called, and whose they are");
  command->add_flag("-q,--quiet", options->quiet, "Show no progress");
  command->add_flag("--in-process", options->in_process,
                    "Run the plugin in this process, for debuggers");
  command->add_flag("--continue-on-error", options->continue_on_error,
                    "Go on after an error, and sum up at the end");
  command
      ->add_option("--op-deadline", options->op_deadline_seconds,
                   "Seconds that one operation of a plugin may take (600); 0 "
                   "for as many as it likes")
      ->check(CLI::Range(0.0, 1e9));
  const std::string name = description.name;
  command->callback([options, verb, name, &exit_code] {
    exit_code = RunVerb(name, *options, verb);
  });
  return command;
}

}  // namespace fsload
