// FSP87x and FSP88x: transactions, and configuration, through the facade.
#include <algorithm>
#include <string>
#include <vector>

#include "core/conformance/case.h"
#include "fsload/filesystem_interface.h"

namespace fsload::conformance {
namespace {

constexpr Op kStart = Op::kFilesystem_start_transaction;
constexpr Op kEnd = Op::kFilesystem_end_transaction;
constexpr Op kAdd = Op::kFilesystem_add_to_transaction;
constexpr Op kFind = Op::kFilesystem_get_transaction_for_path;
constexpr Op kFindOrStart = Op::kFilesystem_get_or_start_transaction_for_path;
constexpr Op kDecode = Op::kFilesystem_decode_transaction_token;
constexpr Op kGetOptions = Op::kFilesystem_get_filesystem_configuration;
constexpr Op kGetOption = Op::kFilesystem_get_filesystem_configuration_option;
constexpr Op kSetOption = Op::kFilesystem_set_filesystem_configuration_option;
constexpr Op kSetOptions = Op::kFilesystem_set_filesystem_configuration;
constexpr Op kKeys = Op::kFilesystem_get_filesystem_configuration_keys;

// Records a call with its status, which it returns.
absl::Status Told(Trial& t, const std::string& call, absl::Status status) {
  t.Record(call, status);
  return status;
}

void StartsAndEnds(Trial& t) {
  TransactionTarget& transactions = t.setting().tested.transactions();
  // Twice, so that an old state does not stay.
  for (int i = 0; i < 2; ++i) {
    const auto token = transactions.Start();
    if (!t.Ok(Told(t, "start_transaction()", token.status()))) return;
    t.Expect(*token != nullptr, "start_transaction() -> a null token");
    t.Ok(Told(t, "end_transaction(token)", transactions.End(*token)));
  }
}

void AnUnknownTokenIsNotFound(Trial& t) {
  TransactionTarget& transactions = t.setting().tested.transactions();
  TF_TransactionToken unknown = {nullptr, nullptr};
  t.Fails(Told(t, "end_transaction(unknown)", transactions.End(&unknown)),
          {kNotFound});
  t.Fails(Told(t, "add_to_transaction(\"file\", unknown)",
               transactions.Add(t.Uri("file"), &unknown)),
          {kNotFound});
}

void APathIsInOneTransaction(Trial& t) {
  TransactionTarget& transactions = t.setting().tested.transactions();
  const std::string uri = t.Uri("not there yet");
  const auto first = transactions.Start();
  if (!t.Ok(Told(t, "start_transaction()", first.status()))) return;
  t.Ok(Told(t, "add_to_transaction(path, first)",
            transactions.Add(uri, *first)));
  const auto found = transactions.Find(uri);
  t.Ok(Told(t, "get_transaction_for_path(path)", found.status()));
  t.Expect(!found.ok() || *found == *first,
           "get_transaction_for_path(path) -> another token than that of the "
           "transaction it was added to");
  const auto second = transactions.Start();
  t.Record("start_transaction()", second.status());
  if (second.ok()) {  // a plugin may allow one only (L738)
    t.Fails(Told(t, "add_to_transaction(path, second)",
                 transactions.Add(uri, *second)),
            {kFailed});
    t.Ok(Told(t, "end_transaction(second)", transactions.End(*second)));
  }
  t.Ok(Told(t, "end_transaction(first)", transactions.End(*first)));
  t.Fails(Told(t, "get_transaction_for_path(path)",
               transactions.Find(uri).status()),
          {kNotFound});
}

void FindsOrStarts(Trial& t) {
  TransactionTarget& transactions = t.setting().tested.transactions();
  constexpr char kCall[] = "get_or_start_transaction_for_path(\"file\")";
  const auto token = transactions.FindOrStart(t.Uri("file"));
  if (!t.Ok(Told(t, kCall, token.status()))) return;
  const auto again = transactions.FindOrStart(t.Uri("file"));
  t.Ok(Told(t, kCall, again.status()));
  t.Expect(!again.ok() || *again == *token,
           "get_or_start_transaction_for_path of one path -> two tokens");
  t.Ok(Told(t, "end_transaction(token)", transactions.End(*token)));
}

void DecodesTokens(Trial& t) {
  TransactionTarget& transactions = t.setting().tested.transactions();
  const auto token = transactions.Start();
  if (!t.Ok(Told(t, "start_transaction()", token.status()))) return;
  const auto text = transactions.Decode(*token);
  t.Ok(Told(t, "decode_transaction_token(token)", text.status()));
  t.Ok(Told(t, "end_transaction(token)", transactions.End(*token)));
}

bool AreEqual(const ConfigurationOption& a, const ConfigurationOption& b) {
  return a.name == b.name && a.per_file == b.per_file && a.values == b.values;
}

void KeysAreThoseOfTheOptions(Trial& t) {
  const FileSystem& fs = t.setting().file_system;
  const auto options = fs.GetFilesystemConfiguration();
  if (!t.Ok(Told(t, "get_filesystem_configuration()", options.status()))) {
    return;
  }
  auto keys = fs.GetFilesystemConfigurationKeys();
  if (!t.Ok(Told(t, "get_filesystem_configuration_keys()", keys.status()))) {
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
  const FileSystem& fs = t.setting().file_system;
  const auto options = fs.GetFilesystemConfiguration();
  const auto keys = fs.GetFilesystemConfigurationKeys();
  if (!t.Ok(Told(t, "get_filesystem_configuration()", options.status())) ||
      !t.Ok(Told(t, "get_filesystem_configuration_keys()", keys.status()))) {
    return;
  }
  t.Expect(keys->size() == options->size(),
           "get_filesystem_configuration_keys() -> " +
               std::to_string(keys->size()) + " keys; expected " +
               std::to_string(options->size()) +
               ", one for each of get_filesystem_configuration()");
}

void EachOptionIsFound(Trial& t) {
  const FileSystem& fs = t.setting().file_system;
  const auto options = fs.GetFilesystemConfiguration();
  if (!t.Ok(Told(t, "get_filesystem_configuration()", options.status()))) {
    return;
  }
  for (const ConfigurationOption& each : *options) {
    const auto found = fs.GetFilesystemConfigurationOption(each.name);
    if (!t.Ok(Told(
            t, "get_filesystem_configuration_option(" + Quoted(each.name) + ")",
            found.status()))) {
      continue;
    }
    t.Expect(AreEqual(*found, each),
             "get_filesystem_configuration_option(" + Quoted(each.name) +
                 ") -> another option than get_filesystem_configuration()");
  }
}

void UnknownOptionsAreNotFound(Trial& t) {
  const FileSystem& fs = t.setting().file_system;
  const ConfigurationOption unknown = {"fsload-none", "", false,
                                       std::vector<int64_t>{1}};
  t.Fails(Told(t, "get_filesystem_configuration_option(\"fsload-none\")",
               fs.GetFilesystemConfigurationOption("fsload-none").status()),
          {kNotFound});
  t.Fails(Told(t, "set_filesystem_configuration_option(\"fsload-none\")",
               fs.SetFilesystemConfigurationOption(unknown)),
          {kNotFound});
}

// Another value of the same type, where one can be made up.
bool Change(ConfigurationOption& option) {
  if (auto* const integers =
          std::get_if<std::vector<int64_t>>(&option.values)) {
    if (integers->empty()) return false;
    ++integers->front();
    return true;
  }
  if (auto* const reals = std::get_if<std::vector<double>>(&option.values)) {
    if (reals->empty()) return false;
    reals->front() /= 2;
    return true;
  }
  return false;
}

// Sets `option`: OK means that it has this value from now on.
void SetAndExpect(Trial& t, const ConfigurationOption& option) {
  const FileSystem& fs = t.setting().file_system;
  const absl::Status status = fs.SetFilesystemConfigurationOption(option);
  const std::string call =
      "set_filesystem_configuration_option(" + Quoted(option.name) + ")";
  t.Record(call, status);
  if (!status.ok()) return;  // it may not take every value
  const auto found = fs.GetFilesystemConfigurationOption(option.name);
  t.Expect(found.ok() && AreEqual(*found, option),
           call + " -> OK, but the option has another value afterwards");
}

// Values of another type than those of `option`.
ConfigurationValues OfAnotherType(const ConfigurationOption& option) {
  if (std::holds_alternative<std::vector<int64_t>>(option.values)) {
    return std::vector<double>{0.5};
  }
  return std::vector<int64_t>{1};
}

void SetOptionsStay(Trial& t) {
  const FileSystem& fs = t.setting().file_system;
  const auto options = fs.GetFilesystemConfiguration();
  if (!t.Ok(Told(t, "get_filesystem_configuration()", options.status()))) {
    return;
  }
  for (const ConfigurationOption& before : *options) {
    ConfigurationOption other = before;
    if (Change(other)) SetAndExpect(t, other);
    other.values = OfAnotherType(before);
    SetAndExpect(t, other);
    t.Ok(Told(
        t, "set_filesystem_configuration_option(" + Quoted(before.name) + ")",
        fs.SetFilesystemConfigurationOption(before)));
  }
}

void AllOptionsOrNoneAreSet(Trial& t) {
  const FileSystem& fs = t.setting().file_system;
  const auto options = fs.GetFilesystemConfiguration();
  if (!t.Ok(Told(t, "get_filesystem_configuration()", options.status()))) {
    return;
  }
  if (options->empty()) return t.Skip("the plugin has no options");
  t.Ok(Told(t, "set_filesystem_configuration(its own options)",
            fs.SetFilesystemConfiguration(*options)));
  ConfigurationOption first = options->front();
  if (!Change(first)) return;
  const ConfigurationOption unknown = {"fsload-none", "", false,
                                       std::vector<int64_t>{1}};
  const absl::Status status = fs.SetFilesystemConfiguration({first, unknown});
  t.Record("set_filesystem_configuration({" + Quoted(first.name) +
               ", \"fsload-none\"})",
           status);
  t.Fails(status, {kNotFound});
  const auto found = fs.GetFilesystemConfigurationOption(first.name);
  t.Expect(found.ok() && AreEqual(*found, options->front()),
           "set_filesystem_configuration failed and changed an option");
}

}  // namespace

std::vector<Case> TransactionCases() {
  return {
      {871,
       "transactions.start-and-end",
       "a transaction starts and ends",
       "L721-L750",
       2,
       kPlain,
       {kStart, kEnd},
       StartsAndEnds,
       "A token that does not end stays for good.",
       "Leave the operations null if there are no transactions."},
      {872,
       "transactions.unknown-token",
       "an unknown token is NOT_FOUND",
       "L752-L757, L769-L776",
       2,
       kPlain,
       {kEnd, kAdd},
       AnUnknownTokenIsNotFound,
       "A token of another file system would be taken for one's own.",
       "Look the token up; do not follow its pointer."},
      {873,
       "transactions.a-path-is-in-one",
       "a path is in one transaction at most, until that ends",
       "L759-L801",
       2,
       kPlain,
       {kStart, kEnd, kAdd, kFind},
       APathIsInOneTransaction,
       "Changes would be made by the wrong transaction.",
       "Forget the paths of a transaction when it ends."},
      {874,
       "transactions.find-or-start",
       "get_or_start_transaction_for_path gives a path one token",
       "L803-L828",
       2,
       kPlain,
       {kFindOrStart, kEnd},
       FindsOrStarts,
       "A path would be in two transactions.",
       "Look for the path first."},
      {875,
       "transactions.decode",
       "a token decodes to a text",
       "L830-L845",
       2,
       kPlain,
       {kStart, kEnd, kDecode},
       DecodesTokens,
       "Logs show it.",
       "Leave the operation null: the host's default does it."},
      {881,
       "options.keys",
       "the keys are the names of the options",
       "L912-L924",
       2,
       kFacadeOnly | kDisputed | kNoDefaults,
       {kGetOptions, kKeys},
       KeysAreThoseOfTheOptions,
       "Options could not be found. (L922 does not say how keys are "
       "separated; fsload reads a null byte behind each.)",
       "One block, with a null byte behind each key."},
      {882,
       "options.each-is-found",
       "each option is what the list of all says",
       "L847-L894",
       2,
       kFacadeOnly | kNoDefaults,
       {kGetOptions, kGetOption},
       EachOptionIsFound,
       "Programs would work with other values.",
       "Make both ask one function."},
      {883,
       "options.unknown-is-not-found",
       "an unknown option is NOT_FOUND",
       "L883-L910",
       2,
       kFacadeOnly,
       {kGetOption, kSetOption},
       UnknownOptionsAreNotFound,
       "A misspelled option would be ignored.",
       "Compare the whole name."},
      {884,
       "options.set-options-stay",
       "an option that was set has its value",
       "L896-L910",
       2,
       kFacadeOnly | kNoDefaults,
       {kGetOptions, kGetOption, kSetOption},
       SetOptionsStay,
       "A setting would have no effect.",
       "Copy the values."},
      {885,
       "options.all-or-none",
       "set_filesystem_configuration sets all options or none",
       "L863-L877",
       2,
       kFacadeOnly | kNoDefaults,
       {kGetOptions, kGetOption, kSetOptions},
       AllOptionsOrNoneAreSet,
       "Half of a configuration is in force after an error.",
       "Check all options before the first is set."},
      {886,
       "options.as-many-keys",
       "there are as many keys as options",
       "L847-L861, L912-L924",
       2,
       kFacadeOnly | kNoDefaults,
       {kGetOptions, kKeys},
       ThereAreAsManyKeysAsOptions,
       "An option that is not listed is never set.",
       "Make both list one table."},
  };
}

}  // namespace fsload::conformance
