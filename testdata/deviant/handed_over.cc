#include <string>
#include <string_view>
#include <vector>

#include "testdata/deviant/deviant.h"
#include "testdata/plugin_memory.h"

namespace deviant {
namespace {

char* TranslateName(const TF_Filesystem*, const char* uri) {
  if (Is("translate_null")) return nullptr;
  if (Is("translate_same")) return const_cast<char*>(uri);
  std::string path = uri;
  constexpr std::string_view kPrefix = "deviant://";
  if (Is("translate_inside")) {
    return const_cast<char*>(uri) +
           (path.rfind(kPrefix, 0) == 0 ? kPrefix.size() : 0);
  }
  if (!Is("translate_identity") && path.rfind(kPrefix, 0) == 0) {
    path.erase(0, kPrefix.size());
  }
  return plugin_memory::CopyString(path);
}

std::vector<std::string> Children(std::string_view path) {
  if (path == "/") return {"dir"};
  if (path == "/dir/empty") return {};
  const std::string folder = Is("children_end_in_slash") ? "empty/" : "empty";
  if (Is("child_dots")) return {folder, ".", "file", ".."};
  if (Is("child_elsewhere")) return {folder, "../other", "file"};
  if (Is("child_empty")) return {folder, "", "file"};
  if (Is("child_slash")) return {folder, "/", "file"};
  return {folder, "file"};
}

// Hands `strings` over in the way of the variant.
int HandOver(const std::vector<std::string>& strings, char*** entries,
             TF_Status* status) {
  Succeed(status);
  if (Is("children_null_array")) return 2;
  *entries = plugin_memory::CopyStrings(strings);
  if (Is("children_null_entry") && strings.size() > 1) {
    plugin_memory::Free((*entries)[1]);
    (*entries)[1] = nullptr;
  }
  if (Is("children_negative")) {
    for (size_t i = 0; i < strings.size(); ++i) {
      plugin_memory::Free((*entries)[i]);
    }
    return -1;
  }
  return static_cast<int>(strings.size());
}

// The result returned with an error.
int Failed(char*** entries) {
  if (Is("children_error_zero")) return 0;
  if (Is("children_error_keeps_array")) {
    *entries = plugin_memory::CopyStrings(std::vector<std::string>{"a", "b"});
    plugin_memory::FreeStrings(*entries, 2);
    return 2;
  }
  return -1;
}

int GetChildren(const TF_Filesystem*, const char* path, char*** entries,
                TF_Status* status) {
  if (FailsBecauseOf("get_children", path, status)) return Failed(entries);
  if (!IsDirectory(path) && Is("children_of_nothing")) {
    return HandOver({}, entries, status);
  }
  if (!IsDirectory(path)) {
    Fail(IsFile(path) ? TF_FAILED_PRECONDITION : TF_NOT_FOUND, "no directory",
         status);
    return Failed(entries);
  }
  return HandOver(Children(path), entries, status);
}

int GetMatchingPaths(const TF_Filesystem*, const char* glob, char*** entries,
                     TF_Status* status) {
  if (FailsBecauseOf("get_matching_paths", glob, status)) {
    return Failed(entries);
  }
  return HandOver({"/dir/empty", "/dir/file"}, entries, status);
}

// --- Transactions: there is one, which never ends. ---

TF_TransactionToken g_token = {nullptr, nullptr};

int Give(const char* op, const char* path, TF_TransactionToken** token,
         TF_Status* status) {
  if (FailsBecauseOf(op, path, status)) return -1;
  if (!Is("token_null")) *token = &g_token;
  Succeed(status);
  return 0;
}

int StartTransaction(const TF_Filesystem*, TF_TransactionToken** token,
                     TF_Status* status) {
  return Give("start_transaction", "", token, status);
}

int EndTransaction(const TF_Filesystem*, TF_TransactionToken*,
                   TF_Status* status) {
  if (FailsBecauseOf("end_transaction", "", status)) return -1;
  Succeed(status);
  return 0;
}

int AddToTransaction(const TF_Filesystem*, const char* path,
                     TF_TransactionToken*, TF_Status* status) {
  if (FailsBecauseOf("add_to_transaction", path, status)) return -1;
  Succeed(status);
  return 0;
}

int GetTransactionForPath(const TF_Filesystem*, const char* path,
                          TF_TransactionToken** token, TF_Status* status) {
  return Give("get_transaction_for_path", path, token, status);
}

int GetOrStartTransactionForPath(const TF_Filesystem*, const char* path,
                                 TF_TransactionToken** token,
                                 TF_Status* status) {
  return Give("get_or_start_transaction_for_path", path, token, status);
}

char* DecodeTransactionToken(const TF_Filesystem*, const TF_TransactionToken*) {
  Note("decode_transaction_token");
  ThrowIfDeviant();
  return Is("decode_null") ? nullptr : plugin_memory::CopyString("the token");
}

// --- Configuration: one option, whose value is the bytes "abc". ---

template <typename T>
T* AllocateOne() {
  return static_cast<T*>(plugin_memory::Allocate(sizeof(T)));
}

void FillOption(TF_Filesystem_Option* option) {
  if (!Is("option_nameless")) option->name = plugin_memory::CopyString("name");
  if (Is("option_value_null")) return;
  option->value = AllocateOne<TF_Filesystem_Option_Value>();
  option->value->type_tag =
      Is("option_type_unknown") ? 7 : TF_Filesystem_Option_Type_Buffer;
  if (Is("option_type_unknown")) return;
  option->value->num_values = 1;
  option->value->values = AllocateOne<TF_Filesystem_Option_Value_Union>();
  auto& buffer = option->value->values->buffer_val;
  buffer.buf_length = 3;
  if (!Is("option_buffer_null")) buffer.buf = plugin_memory::CopyString("abc");
}

void GetConfiguration(const TF_Filesystem*, TF_Filesystem_Option** options,
                      int* num_options, TF_Status* status) {
  if (FailsBecauseOf("get_filesystem_configuration", "", status)) return;
  Succeed(status);
  *num_options = Is("options_negative") ? -1 : Is("options_null") ? 2 : 1;
  if (Is("options_null")) return;
  *options = AllocateOne<TF_Filesystem_Option>();
  if (!Is("options_negative")) FillOption(*options);
}

void SetConfiguration(const TF_Filesystem*, const TF_Filesystem_Option*, int,
                      TF_Status* status) {
  if (FailsBecauseOf("set_filesystem_configuration", "", status)) return;
  Succeed(status);
}

void GetOption(const TF_Filesystem*, const char* key,
               TF_Filesystem_Option** option, TF_Status* status) {
  if (FailsBecauseOf("get_filesystem_configuration_option", key, status)) {
    return;
  }
  Succeed(status);
  if (Is("options_null")) return;
  *option = AllocateOne<TF_Filesystem_Option>();
  FillOption(*option);
}

void SetOption(const TF_Filesystem*, const TF_Filesystem_Option* option,
               TF_Status* status) {
  if (FailsBecauseOf("set_filesystem_configuration_option", option->name,
                     status)) {
    return;
  }
  Succeed(status);
}

void GetKeys(const TF_Filesystem*, char** keys, int* num_keys,
             TF_Status* status) {
  if (FailsBecauseOf("get_filesystem_configuration_keys", "", status)) return;
  Succeed(status);
  *num_keys = Is("keys_negative") ? -1 : Is("keys_null") ? 2 : 1;
  if (!Is("keys_null")) *keys = plugin_memory::CopyString("name");
}

}  // namespace

void AddHandingOver(TF_FilesystemOps* ops) {
  ops->translate_name = TranslateName;
  ops->get_children = GetChildren;
  ops->get_matching_paths = GetMatchingPaths;
  ops->start_transaction = StartTransaction;
  ops->end_transaction = EndTransaction;
  ops->add_to_transaction = AddToTransaction;
  ops->get_transaction_for_path = GetTransactionForPath;
  ops->get_or_start_transaction_for_path = GetOrStartTransactionForPath;
  ops->decode_transaction_token = DecodeTransactionToken;
  ops->get_filesystem_configuration = GetConfiguration;
  ops->set_filesystem_configuration = SetConfiguration;
  ops->get_filesystem_configuration_option = GetOption;
  ops->set_filesystem_configuration_option = SetOption;
  ops->get_filesystem_configuration_keys = GetKeys;
}

}  // namespace deviant
