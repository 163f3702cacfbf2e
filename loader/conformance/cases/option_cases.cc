// FSP88x: the configuration of a file system.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "loader/conformance/cases/cases.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

constexpr Op kGetOptions = Op::kFilesystem_get_filesystem_configuration;
constexpr Op kGetOption = Op::kFilesystem_get_filesystem_configuration_option;
constexpr Op kSetOption = Op::kFilesystem_set_filesystem_configuration_option;
constexpr Op kSetOptions = Op::kFilesystem_set_filesystem_configuration;
constexpr Op kKeys = Op::kFilesystem_get_filesystem_configuration_keys;

bool AreEqual(const ConfigurationOption& a, const ConfigurationOption& b) {
  return a.name == b.name && a.per_file == b.per_file && a.values == b.values;
}

void KeysAreThoseOfTheOptions(Trial& t) {
  OptionsTarget& target = t.setting().tested.options();
  const auto options = target.GetAll();
  if (!t.Ok(t.Recorded("get_filesystem_configuration()", options.status()))) {
    return;
  }
  auto keys = target.Keys();
  if (!t.Ok(t.Recorded("get_filesystem_configuration_keys()", keys.status()))) {
    return;
  }
  std::vector<std::string> names;
  for (const ConfigurationOption& each : *options) names.push_back(each.name);
  std::sort(names.begin(), names.end());
  std::sort(keys->begin(), keys->end());
  t.Expect(*keys == names,
           "get_filesystem_configuration_keys() -> other names than those of "
           "get_filesystem_configuration()");
}

void ThereAreAsManyKeysAsOptions(Trial& t) {
  OptionsTarget& target = t.setting().tested.options();
  const auto options = target.GetAll();
  const auto keys = target.Keys();
  if (!t.Ok(t.Recorded("get_filesystem_configuration()", options.status())) ||
      !t.Ok(t.Recorded("get_filesystem_configuration_keys()", keys.status()))) {
    return;
  }
  t.Expect(keys->size() == options->size(),
           "get_filesystem_configuration_keys() -> " +
               std::to_string(keys->size()) + " keys; expected " +
               std::to_string(options->size()) +
               ", one for each of get_filesystem_configuration()");
}

void EachOptionIsFound(Trial& t) {
  OptionsTarget& target = t.setting().tested.options();
  const auto options = target.GetAll();
  if (!t.Ok(t.Recorded("get_filesystem_configuration()", options.status()))) {
    return;
  }
  for (const ConfigurationOption& each : *options) {
    const auto found = target.Get(each.name);
    if (!t.Ok(t.Recorded(
            "get_filesystem_configuration_option(" + Quoted(each.name) + ")",
            found.status()))) {
      continue;
    }
    t.Expect(AreEqual(*found, each),
             "get_filesystem_configuration_option(" + Quoted(each.name) +
                 ") -> another option than get_filesystem_configuration()");
  }
}

void UnknownOptionsAreNotFound(Trial& t) {
  OptionsTarget& target = t.setting().tested.options();
  const ConfigurationOption unknown = {"fsload-none", "", false,
                                       std::vector<int64_t>{1}};
  t.Fails(t.Recorded("get_filesystem_configuration_option(\"fsload-none\")",
                     target.Get("fsload-none").status()),
          {kNotFound});
  t.Fails(t.Recorded("set_filesystem_configuration_option(\"fsload-none\")",
                     target.Set(unknown)),
          {kNotFound});
}

// Another value of the same type, where one can be made up.
bool Change(ConfigurationOption& option) {
  if (auto* const integers =
          std::get_if<std::vector<int64_t>>(&option.values)) {
    if (integers->empty()) return false;
    integers->front() ^= 1;
    return true;
  }
  if (auto* const reals = std::get_if<std::vector<double>>(&option.values)) {
    if (reals->empty()) return false;
    double& real = reals->front();
    real = real == 0 || !std::isfinite(real) ? 1 : real / 2;
    return true;
  }
  return false;
}

// Sets `option`: OK, which is returned, means that it has this value from now
// on.
bool SetAndExpect(Trial& t, const ConfigurationOption& option) {
  OptionsTarget& target = t.setting().tested.options();
  const absl::Status status = target.Set(option);
  const std::string call =
      "set_filesystem_configuration_option(" + Quoted(option.name) + ")";
  t.Record(call, status);
  if (!status.ok()) return false;  // it may not take every value (L905)
  const auto found = target.Get(option.name);
  t.Expect(found.ok() && AreEqual(*found, option),
           call + " -> OK, but the option has another value afterwards");
  return true;
}

// Values of another type than those of `option`.
ConfigurationValues OfAnotherType(const ConfigurationOption& option) {
  if (std::holds_alternative<std::vector<int64_t>>(option.values)) {
    return std::vector<double>{0.5};
  }
  return std::vector<int64_t>{1};
}

void SetOptionsStay(Trial& t) {
  OptionsTarget& target = t.setting().tested.options();
  const auto options = target.GetAll();
  if (!t.Ok(t.Recorded("get_filesystem_configuration()", options.status()))) {
    return;
  }
  for (const ConfigurationOption& before : *options) {
    ConfigurationOption other = before;
    bool is_set = Change(other) && SetAndExpect(t, other);
    other.values = OfAnotherType(before);
    is_set = SetAndExpect(t, other) || is_set;
    if (!is_set) continue;
    t.Ok(t.Recorded(
        "set_filesystem_configuration_option(" + Quoted(before.name) + ")",
        target.Set(before)));
  }
}

void AllOptionsOrNoneAreSet(Trial& t) {
  OptionsTarget& target = t.setting().tested.options();
  const auto options = target.GetAll();
  if (!t.Ok(t.Recorded("get_filesystem_configuration()", options.status()))) {
    return;
  }
  if (options->empty()) return t.Skip("the plugin has no options");
  // Some may not be set at all (L872).
  t.Record("set_filesystem_configuration(its own options)",
           target.SetAll(*options));
  std::vector<ConfigurationOption> changed = *options;
  for (ConfigurationOption& each : changed) Change(each);
  const absl::Status all = target.SetAll(changed);
  t.Record("set_filesystem_configuration(its own options, changed)", all);
  for (size_t i = 0; i < changed.size(); ++i) {
    const ConfigurationOption& wanted = all.ok() ? changed[i] : (*options)[i];
    const auto now = target.Get(wanted.name);
    t.Expect(now.ok() && AreEqual(*now, wanted),
             Format("set_filesystem_configuration -> {}, but {} has {} value",
                    all.ok() ? "OK" : "an error", Quoted(wanted.name),
                    all.ok() ? "another" : "a new"));
  }
  if (all.ok()) {
    t.Record("set_filesystem_configuration(its own options)",
             target.SetAll(*options));
  }
  ConfigurationOption first = options->front();
  if (!Change(first)) return;
  const ConfigurationOption unknown = {"fsload-none", "", false,
                                       std::vector<int64_t>{1}};
  const absl::Status status = target.SetAll({first, unknown});
  t.Record("set_filesystem_configuration({" + Quoted(first.name) +
               ", \"fsload-none\"})",
           status);
  // It may ignore what it does not know (L867).
  if (status.ok()) {
    const auto now = target.Get(first.name);
    t.Expect(now.ok() && AreEqual(*now, first),
             "set_filesystem_configuration -> OK, but the option has another "
             "value afterwards");
    t.Record("set_filesystem_configuration_option(" + Quoted(first.name) + ")",
             target.Set(options->front()));
    return;
  }
  const auto found = target.Get(first.name);
  t.Expect(found.ok() && AreEqual(*found, options->front()),
           "set_filesystem_configuration failed and changed an option");
}

}  // namespace

std::vector<Case> OptionCases() {
  return {
      {881, "options.keys", "the keys are the names of the options",
       "L912-L924", 2, kDisputed | kNoDefaults, Calls(kGetOptions, kKeys),
       KeysAreThoseOfTheOptions,
       "Options could not be found. (Line 922 does not say how keys are "
       "separated; fsload reads a null byte behind each.)",
       "One block, with a null byte behind each key."},
      {882, "options.each-is-found",
       "each option equals its entry in the list of all options", "L847-L894",
       2, kNoDefaults, Calls(kGetOptions, kGetOption), EachOptionIsFound,
       "Programs would work with other values.", "Make both ask one function."},
      {883, "options.unknown-is-not-found", "an unknown option is NOT_FOUND",
       "L883-L910", 2, kPlain, Calls(kGetOption, kSetOption),
       UnknownOptionsAreNotFound, "A misspelled option would be ignored.",
       "Compare the whole name."},
      {884, "options.set-options-stay", "an option that was set has its value",
       "L896-L910", 2, kNoDefaults, Calls(kGetOptions, kGetOption, kSetOption),
       SetOptionsStay, "A setting would have no effect.", "Copy the values."},
      {885, "options.all-or-none",
       "set_filesystem_configuration sets all options or none", "L863-L877", 2,
       kNoDefaults, Calls(kGetOptions, kGetOption, kSetOptions),
       AllOptionsOrNoneAreSet,
       "Half of a configuration is in force after an error.",
       "Check all options before the first is set."},
      {886, "options.as-many-keys", "there are as many keys as options",
       "L847-L861, L912-L924", 2, kNoDefaults, Calls(kGetOptions, kKeys),
       ThereAreAsManyKeysAsOptions,
       "An option that is not listed is never set.",
       "Make both list one table."},
  };
}

}  // namespace fsload::conformance
