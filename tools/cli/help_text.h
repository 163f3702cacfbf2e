// What `--help` prints. CLI11's own text differs from version to version.
#pragma once

namespace CLI {
class App;
}  // namespace CLI

namespace fsload {

// Makes `app`, and the commands that are added from here on, print the help
// text of this program.
void UseHelpText(CLI::App& app);

}  // namespace fsload
