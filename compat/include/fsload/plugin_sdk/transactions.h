// The operations on transactions. A class has its tokens itself: it returns
// pointers to those that it owns, of which this sets the owner, and deletes one
// in EndTransaction (L723).
#ifndef FSLOAD_PLUGIN_SDK_TRANSACTIONS_H_
#define FSLOAD_PLUGIN_SDK_TRANSACTIONS_H_

#include <string>

#include "fsload/plugin_sdk/boundary.h"
#include "fsload/plugin_sdk/interface.h"
#include "fsload/plugin_sdk/methods.h"
#include "fsload/plugin_sdk/objects.h"
#include "fsload/plugin_sdk/questions.h"
#include "fsload/plugin_sdk/returns.h"

namespace fsload {
namespace plugin {
namespace internal {
#pragma GCC visibility push(hidden)

// Returns what an operation on transactions returns (L728).
inline int AsInt(bool good) { return good ? 0 : -1; }

// Hands over the token that the method returns; a null one has the code
// `if_null`.
template <typename Method, typename T, typename... Path>
int GiveToken(const TF_Filesystem* filesystem, TF_Code if_null,
              TF_TransactionToken** token, TF_Status* status, Path... path) {
  return AsInt(Guard(status, [&]() -> Status {
    const auto found = Invoke<TF_TransactionToken*, Method>(
        Self<T>(filesystem), AsArgument(path)...);
    if (!found.ok()) return found.status();
    if (*found == nullptr) return Status(if_null, "there is no transaction");
    // Only of a new one: other threads may have found the same.
    if ((*found)->owner != filesystem) {
      (*found)->owner = const_cast<TF_Filesystem*>(filesystem);
    }
    *token = *found;
    return Status();
  }));
}

template <typename T, typename Method>
struct StartTransactionOperation {
  static int Call(const TF_Filesystem* filesystem, TF_TransactionToken** token,
                  TF_Status* status) {
    return GiveToken<Method, T>(filesystem, TF_INTERNAL, token, status);
  }
};

template <typename T, typename Method>
struct EndTransactionOperation {
  static int Call(const TF_Filesystem* filesystem, TF_TransactionToken* token,
                  TF_Status* status) {
    return AsInt(Guard(status, [&] {
      return Invoke<Nothing, Method>(Self<T>(filesystem), token).status();
    }));
  }
};

template <typename T, typename Method>
struct AddToTransactionOperation {
  static int Call(const TF_Filesystem* filesystem, const char* path,
                  TF_TransactionToken* token, TF_Status* status) {
    return AsInt(Guard(status, [&] {
      return Invoke<Nothing, Method>(Self<T>(filesystem), std::string(path),
                                     token)
          .status();
    }));
  }
};

// GetTransactionForPath and GetOrStartTransactionForPath.
template <typename T, typename Method>
struct TransactionForPathOperation {
  static int Call(const TF_Filesystem* filesystem, const char* path,
                  TF_TransactionToken** token, TF_Status* status) {
    // L794.
    return GiveToken<Method, T>(filesystem, TF_NOT_FOUND, token, status, path);
  }
};

template <typename T, typename Method>
struct DecodeTransactionTokenOperation {
  static char* Call(const TF_Filesystem* filesystem,
                    const TF_TransactionToken* token) {
    char* const text = Text<Method, T>(filesystem, token);
    return text != nullptr ? text : AllocateArray<char>(0);  // L837
  }
};

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_TRANSACTIONS_H_
