// Calls of the operations on transactions and configuration.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "compat/plugin_sdk/outcome.h"

namespace fsload::plugin {
namespace {

// --- Transactions ---

// What an operation that yields `result` and a token has said.
Outcome TokenSaid(AllHosts& host, int result,
                  const TF_TransactionToken* token) {
  return OutcomeOf(
      result == 0 && token != nullptr && token->owner == &host.filesystem,
      result == -1 && token == nullptr);
}

Outcome StartTransaction(AllHosts& host, const CallWrapper& around) {
  TF_TransactionToken* token = nullptr;
  int result = 1;
  around([&] {
    result = host.ops().start_transaction(&host.filesystem, &token,
                                          host.status.get());
  });
  return TokenSaid(host, result, token);
}

Outcome EndTransaction(AllHosts& host, const CallWrapper& around) {
  TF_TransactionToken token = {};
  int result = 1;
  around([&] {
    result =
        host.ops().end_transaction(&host.filesystem, &token, host.status.get());
  });
  return OutcomeOf(result == 0, result == -1);
}

Outcome AddToTransaction(AllHosts& host, const CallWrapper& around) {
  TF_TransactionToken token = {};
  int result = 1;
  around([&] {
    result = host.ops().add_to_transaction(&host.filesystem, kPath, &token,
                                           host.status.get());
  });
  return OutcomeOf(result == 0, result == -1);
}

template <auto kSlot>
Outcome TransactionForPath(AllHosts& host, const CallWrapper& around) {
  TF_TransactionToken* token = nullptr;
  int result = 1;
  around([&] {
    result =
        (host.ops().*kSlot)(&host.filesystem, kPath, &token, host.status.get());
  });
  return TokenSaid(host, result, token);
}

Outcome DecodeTransactionToken(AllHosts& host, const CallWrapper& around) {
  const TF_TransactionToken token = {};
  char* text = nullptr;
  around([&] {
    text = host.ops().decode_transaction_token(&host.filesystem, &token);
  });
  return TextSaid(host, text, "a token", "");
}

// --- Configuration ---

void FreeOption(AllHosts& host, TF_Filesystem_Option& option) {
  for (int i = 0; i < option.value->num_values; ++i) {
    if (option.value->type_tag != TF_Filesystem_Option_Type_Buffer) break;
    host.Free(option.value->values[i].buffer_val.buf);
  }
  host.Free(option.value->values);
  host.Free(option.value);
  host.Free(option.name);
  host.Free(option.description);
}

Outcome GetConfiguration(AllHosts& host, const CallWrapper& around) {
  TF_Filesystem_Option* options = nullptr;
  int count = -1;
  around([&] {
    host.ops().get_filesystem_configuration(&host.filesystem, &options, &count,
                                            host.status.get());
  });
  if (options == nullptr) return OutcomeOf(false, count == -1);
  const auto* values = options[2].value->values;
  const bool done =
      count == 3 && options[0].name == std::string("ints") &&
      options[0].description == std::string("three numbers") &&
      options[0].per_file == 1 && options[0].value->num_values == 3 &&
      options[0].value->values[1].int_val == -2 &&
      options[1].value->type_tag == TF_Filesystem_Option_Type_Real &&
      options[1].value->values[0].real_val == 0.5 &&
      options[2].value->num_values == 2 &&
      values[0].buffer_val.buf_length == 3 &&
      std::memcmp(values[0].buffer_val.buf, "a\0b", 3) == 0 &&
      values[1].buffer_val.buf_length == 0;
  for (int i = 0; i < count; ++i) FreeOption(host, options[i]);
  host.Free(options);
  return OutcomeOf(done, false);
}

// An option that a host hands over.
struct HostOption {
  TF_Filesystem_Option_Value_Union values[1] = {};
  TF_Filesystem_Option_Value value = {TF_Filesystem_Option_Type_Int, 1, values};
  TF_Filesystem_Option option = {const_cast<char*>("set"),
                                 const_cast<char*>("by the host"), 0, &value};
};

// Whether the class has what HostOption says, alone.
bool HasHostOption(AllHosts& host) {
  const auto& options =
      static_cast<AllMethods*>(host.filesystem.plugin_filesystem)->options;
  return options.size() == 1 && options[0].name == "set" &&
         options[0].description == "by the host" &&
         options[0].ints == std::vector<int64_t>{0};
}

Outcome SetConfiguration(AllHosts& host, const CallWrapper& around) {
  const HostOption given;
  around([&] {
    host.ops().set_filesystem_configuration(&host.filesystem, &given.option, 1,
                                            host.status.get());
  });
  return OutcomeOf(HasHostOption(host), !HasHostOption(host));
}

Outcome SetOption(AllHosts& host, const CallWrapper& around) {
  const HostOption given;
  around([&] {
    host.ops().set_filesystem_configuration_option(
        &host.filesystem, &given.option, host.status.get());
  });
  return OutcomeOf(HasHostOption(host), !HasHostOption(host));
}

Outcome GetOption(AllHosts& host, const CallWrapper& around) {
  TF_Filesystem_Option* option = nullptr;
  around([&] {
    host.ops().get_filesystem_configuration_option(&host.filesystem, "ints",
                                                   &option, host.status.get());
  });
  if (option == nullptr) return Outcome::kFailed;
  const bool done = option->name == std::string("ints");
  FreeOption(host, *option);
  host.Free(option);
  return OutcomeOf(done, false);
}

Outcome GetKeys(AllHosts& host, const CallWrapper& around) {
  char* keys = nullptr;
  int count = -1;
  around([&] {
    host.ops().get_filesystem_configuration_keys(&host.filesystem, &keys,
                                                 &count, host.status.get());
  });
  if (keys == nullptr) return OutcomeOf(false, count == -1);
  const std::string second = keys + std::strlen(keys) + 1;
  const bool done = count == 3 && keys == std::string("one") &&
                    second == AllMethods().kNames[1];
  host.Free(keys);
  return OutcomeOf(done, false);
}

using Ops = TF_FilesystemOps;

}  // namespace

std::vector<OperationCall> StateCalls() {
  return {
      {"start_transaction", true, StartTransaction},
      {"end_transaction", true, EndTransaction},
      {"add_to_transaction", true, AddToTransaction},
      {"get_transaction_for_path", true,
       TransactionForPath<&Ops::get_transaction_for_path>},
      {"get_or_start_transaction_for_path", true,
       TransactionForPath<&Ops::get_or_start_transaction_for_path>},
      {"decode_transaction_token", false, DecodeTransactionToken},
      {"get_filesystem_configuration", true, GetConfiguration},
      {"set_filesystem_configuration", true, SetConfiguration},
      {"get_filesystem_configuration_option", true, GetOption},
      {"set_filesystem_configuration_option", true, SetOption},
      {"get_filesystem_configuration_keys", true, GetKeys},
  };
}

}  // namespace fsload::plugin
