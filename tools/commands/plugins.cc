// fsload plugins: which are installed, what do they serve, are they valid?
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "loader/discovery/plugin_catalog.h"
#include "loader/known_plugins/known_plugins.h"
#include "loader/known_plugins/usable_schemes.h"
#include "third_party/fmt/format.h"
#include "tools/commands/commands.h"
#include "tools/report/json_document.h"
#include "tools/report/report_printer.h"
#include "tools/session/session.h"
#include "tools/text/output.h"
#include "tools/text/text_style.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kIndent = 11;

std::string Line(const TextStyle& style, const char* what,
                 std::string_view is) {
  return style.Wrapped(Format("  {:9}{}", what, Visible(is)), kIndent) + "\n";
}

// What works, or what to install instead; "" if there is nothing to say.
std::string SummaryOf(const CatalogEntry& entry) {
  return entry.problem.empty() ? UsableText(entry.schemes, entry.stubs)
                               : InsteadText(entry.path, entry.package);
}

std::string EntryText(const CatalogEntry& entry, const TextStyle& style) {
  const bool good = entry.problem.empty();
  const bool lacks = !entry.stubs.empty();
  const std::string summary = SummaryOf(entry);
  std::string text = Format("{}: {}{}{}\n", Visible(entry.name),
                            !good   ? style.In(Colour::kError, "refused")
                            : lacks ? style.In(Colour::kWarning, "loads")
                                    : style.In(Colour::kGood, "ok"),
                            summary.empty() ? "" : "; ", Visible(summary));
  if (!entry.schemes.empty()) {
    text += Line(style, "schemes", absl::StrJoin(entry.schemes, " "));
  }
  text += Line(style, "path", entry.path);
  std::string from(Describe(entry.kind));
  if (!entry.package.empty()) from += ", " + entry.package;
  text += Line(style, "from", from);
  if (!entry.wheel.empty() && entry.wheel != entry.path) {
    text += Line(style, "wheel", entry.wheel);
  }
  if (!good) text += Line(style, "problem", entry.problem);
  return text;
}

// Whether it is a copy, for programs, of the plugin inside the command.
bool IsBundled(const CatalogEntry& entry) {
  return entry.kind == SearchLocationKind::kInstalled &&
         entry.name == kBundledName && entry.problem.empty();
}

// The path of that copy; "" if there is none.
std::string BundledPath(const std::vector<CatalogEntry>& entries) {
  const auto found = std::find_if(entries.begin(), entries.end(), &IsBundled);
  return found == entries.end() ? "" : found->path;
}

// The known plugins that are not in `entries`.
std::vector<const KnownPlugin*> MissingPlugins(
    const std::vector<CatalogEntry>& entries) {
  std::vector<const KnownPlugin*> missing;
  for (const KnownPlugin& known : KnownPlugins()) {
    const auto is_it = [&known](const CatalogEntry& entry) {
      return KnownPluginAt(entry.path) == &known;
    };
    if (std::none_of(entries.begin(), entries.end(), is_it)) {
      missing.push_back(&known);
    }
  }
  return missing;
}

std::vector<std::string> SchemesOf(const KnownPlugin& plugin) {
  return {plugin.schemes.begin(), plugin.schemes.end()};
}

void PrintText(PluginCatalog& catalog) {
  const TextStyle style = StyleOfStandardOutput();
  const std::string copy = BundledPath(catalog.All());
  Print(Format("{}: {}\n{}{}", kBundledName, style.In(Colour::kGood, "ok"),
               Line(style, "schemes", "posix, and local paths"),
               Line(style, "from",
                    copy.empty() ? "inside fsload"
                                 : "inside fsload; for programs: " + copy)));
  for (const CatalogEntry& entry : catalog.All()) {
    if (!IsBundled(entry)) Print(EntryText(entry, style));
  }
  for (const KnownPlugin* const known : MissingPlugins(catalog.All())) {
    Print(Format("{}: not installed\n{}{}", known->package,
                 Line(style, "schemes", absl::StrJoin(SchemesOf(*known), " ")),
                 Line(style, "install", InstallCommand(*known))));
  }
  for (const std::string& problem : catalog.problems()) {
    Print(Format("{}: {}\n", style.In(Colour::kWarning, "skipped"),
                 Visible(problem)));
  }
}

void PrintJson(PluginCatalog& catalog) {
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? Json() : Json(text);
  };
  Json plugins = Json::array();
  plugins.push_back({{"name", kBundledName},
                     {"path", text_or_null(BundledPath(catalog.All()))},
                     {"wheel", nullptr},
                     {"package", nullptr},
                     {"from", "inside fsload"},
                     {"schemes", {"posix", ""}},
                     {"problem", nullptr},
                     {"summary", nullptr}});
  for (const CatalogEntry& entry : catalog.All()) {
    if (IsBundled(entry)) continue;
    plugins.push_back({{"name", entry.name},
                       {"path", entry.path},
                       {"wheel", text_or_null(entry.wheel)},
                       {"package", text_or_null(entry.package)},
                       {"from", Describe(entry.kind)},
                       {"schemes", entry.schemes},
                       {"problem", text_or_null(entry.problem)},
                       {"summary", text_or_null(SummaryOf(entry))}});
  }
  Json missing = Json::array();
  for (const KnownPlugin* const known : MissingPlugins(catalog.All())) {
    missing.push_back({{"package", known->package},
                       {"schemes", SchemesOf(*known)},
                       {"install", InstallCommand(*known)}});
  }
  Print(JsonText({{"schema_version", kPluginsSchema},
                  {"plugins", plugins},
                  {"not_installed", missing},
                  {"not_looked_at", catalog.problems()}}));
}

}  // namespace

void AddPlugins(CLI::App& app, int& exit_code) {
  const auto format = std::make_shared<ReportFormat>(ReportFormat::kText);
  const auto list = [=, &exit_code] {
    CatalogOptions options;
    options.load = CommandLoadOptions();
    options.anew = true;
    PluginCatalog catalog(options);
    *format == ReportFormat::kText ? PrintText(catalog) : PrintJson(catalog);
    exit_code = kVerified;
  };
  CLI::App* const command = AddCommand(
      app, "plugins",
      "List installed plugins, their schemes, and whether they load", list);
  AddFormat(*command, *format, /*with_junit=*/false);
  SetFooter(
      *command,
      "Searches FSLOAD_PLUGIN_PATH (files, wheels and directories, separated "
      "by colons), Python packages, and plugins/ and ../lib/fsload/plugins/ "
      "relative to the executable's directory. Each plugin is "
      "loaded in a confined process.");
}

}  // namespace fsload
