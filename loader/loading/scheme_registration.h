// Registers the schemes of a loaded plugin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/tables/op_tables.h"
#include "fsload/file_system.h"
#include "fsload/load_options.h"
#include "fsload/load_report.h"
#include "fsload/op_observer.h"
#include "fsload/scheme_registry.h"
#include "loader/loading/loaded_plugins.h"
#include "loader/rules/findings.h"

namespace fsload {

// Returns why a plugin's scheme cannot be called `name`, which is the name of
// another scheme.
std::string NameIsTaken(std::string_view name);

// The last two steps of a load, whose findings and report they add to. All
// arguments must outlive it. One thread.
class SchemeRegistration final {
 public:
  SchemeRegistration(const LoadOptions& options, OpObserver* observer,
                     Findings& findings, LoadReport& report);

  // Cleans up what is not registered, and gives its names back.
  ~SchemeRegistration();

  SchemeRegistration(const SchemeRegistration&) = delete;
  SchemeRegistration& operator=(const SchemeRegistration&) = delete;

  // Calls init of each scheme of `checked` whose tables are right. `plugin` is
  // null for one that no library of this process has.
  void CreateFileSystems(CheckedPlugin& checked, LoadedPlugin* plugin);

  // Registers all file systems or none, unless LoadOptions::partial. Calls
  // cleanup of those that it does not register.
  void RegisterFileSystems();

 private:
  // Whether the registry has this plugin under a scheme, or only without
  // something that the load asks for.
  enum class Registered { kNo, kYes, kWithoutWrapper, kWithoutObserver };

  bool MustStop() const;
  FileSystemPtr CreateScheme(CheckedScheme& scheme, SchemeReport& report);
  bool AddName(const std::string& scheme);
  void RemoveNames();
  Registered FindRegistered(const CheckedScheme& scheme) const;
  FileSystemPtr RefuseRegistered(const std::string& scheme,
                                 std::string_view lacks);
  void AddInitFinding(const CheckedScheme& scheme, const absl::Status& status);
  void RegisterEach();
  void RegisterAll(std::vector<FileSystemPtr>& file_systems);
  std::string TakenScheme(const std::vector<FileSystemPtr>& file_systems) const;

  const LoadOptions& options_;
  SchemeRegistry& registry_;
  OpObserver* const observer_;
  Findings& findings_;
  LoadReport& report_;
  LoadedPlugin* plugin_ = nullptr;
  std::vector<FileSystemPtr> created_;
  std::vector<std::string> new_names_;
};

}  // namespace fsload
