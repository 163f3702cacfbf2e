// Which methods a class has, and what they return: the signatures of
// fsload/plugin_sdk.h as types, one for each name. A method that is there under
// the right name but cannot be called as its operation needs does not compile,
// so that no operation is lost by a slip.
#ifndef FSLOAD_PLUGIN_SDK_METHODS_H_
#define FSLOAD_PLUGIN_SDK_METHODS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fsload/plugin_sdk/interface.h"
#include "fsload/plugin_sdk/options.h"
#include "fsload/plugin_sdk/status.h"

namespace fsload {
namespace plugin {
namespace internal {
#pragma GCC visibility push(hidden)

template <typename...>
struct AlwaysVoid {
  using Type = void;
};

// Whether T has a member of `Method`'s name, of whatever kind and access: the
// name is then ambiguous in a class that inherits it twice. Never seen in a
// final class.
template <typename Method, typename T, bool kFinal = __is_final(T)>
class Names {
  struct Both : T, Method::Namesake {};
  template <typename U>
  static std::false_type Detect(typename Method::template MemberOf<U>*);
  template <typename>
  static std::true_type Detect(...);

 public:
  static constexpr bool value = decltype(Detect<Both>(nullptr))::value;
};

template <typename Method, typename T>
class Names<Method, T, true> : public std::false_type {};

template <typename Method, typename T, typename Arguments, typename Void = void>
struct IsCallable : std::false_type {};

template <typename Method, typename T, typename... Args>
struct IsCallable<Method, T, void(Args...),
                  typename AlwaysVoid<decltype(Method::On(
                      std::declval<T&>(), std::declval<Args>()...))>::Type>
    : std::true_type {};

// Whether T has the method, callable with the arguments of its operation.
template <typename Method, typename T>
using Has = typename Method::template In<T>;

// A method, as it is declared.
#define FSLOAD_PLUGIN_METHOD(returned, name, arguments)                       \
  struct name##Method {                                                       \
    static const char* Name() { return #name; }                               \
    struct Namesake {                                                         \
      int name;                                                               \
    };                                                                        \
    template <typename U>                                                     \
    using MemberOf = decltype(&U::name);                                      \
    template <typename T, typename... Args>                                   \
    static auto On(T& object, Args&&... args)                                 \
        -> decltype(object.name(std::forward<Args>(args)...)) {               \
      return object.name(std::forward<Args>(args)...);                        \
    }                                                                         \
    template <typename T>                                                     \
    struct In : IsCallable<name##Method, T, void arguments> {                 \
      static_assert(In::value || !Names<name##Method, T>::value,              \
                    "a method is private, or takes other arguments than its " \
                    "operation has; declare it as: public: " #returned        \
                    " " #name #arguments);                                    \
    };                                                                        \
    template <typename T>                                                     \
    struct NeededIn {                                                         \
      static_assert(In<T>::value,                                             \
                    "a class lacks a method that it needs: " #returned        \
                    " " #name #arguments);                                    \
    };                                                                        \
    template <bool kRight>                                                    \
    struct Returns {                                                          \
      static_assert(kRight,                                                   \
                    "a method returns another type than its "                 \
                    "operation needs; declare it as: " #returned              \
                    " " #name #arguments);                                    \
    };                                                                        \
  }

// Arguments of operations.
using Path = const std::string&;
using Strings = const std::vector<std::string>&;

// Of files (L205-L320).
FSLOAD_PLUGIN_METHOD(size_t, Read, (uint64_t offset, size_t n, char* buffer));
FSLOAD_PLUGIN_METHOD(void, Append, (const char* data, size_t n));
FSLOAD_PLUGIN_METHOD(int64_t, Tell, ());
FSLOAD_PLUGIN_METHOD(void, Flush, ());
FSLOAD_PLUGIN_METHOD(void, Sync, ());
FSLOAD_PLUGIN_METHOD(void, Close, ());
FSLOAD_PLUGIN_METHOD(const char*, data, ());
FSLOAD_PLUGIN_METHOD(size_t, size, ());

// Of a file system (L323-L719).
FSLOAD_PLUGIN_METHOD(std::unique_ptr<YourReader>, NewRandomAccessFile,
                     (const std::string& path));
FSLOAD_PLUGIN_METHOD(std::unique_ptr<YourWriter>, NewWritableFile,
                     (const std::string& path));
FSLOAD_PLUGIN_METHOD(std::unique_ptr<YourWriter>, NewAppendableFile,
                     (const std::string& path));
FSLOAD_PLUGIN_METHOD(std::unique_ptr<YourRegion>,
                     NewReadOnlyMemoryRegionFromFile,
                     (const std::string& path));
FSLOAD_PLUGIN_METHOD(void, CreateDir, (const std::string& path));
FSLOAD_PLUGIN_METHOD(void, RecursivelyCreateDir, (const std::string& path));
FSLOAD_PLUGIN_METHOD(void, DeleteFile, (const std::string& path));
FSLOAD_PLUGIN_METHOD(void, DeleteDir, (const std::string& path));
FSLOAD_PLUGIN_METHOD(void, DeleteRecursively,
                     (const std::string& path, uint64_t* undeleted_files,
                      uint64_t* undeleted_dirs));
FSLOAD_PLUGIN_METHOD(void, RenameFile,
                     (const std::string& src, const std::string& dst));
FSLOAD_PLUGIN_METHOD(void, CopyFile,
                     (const std::string& src, const std::string& dst));
FSLOAD_PLUGIN_METHOD(bool, PathExists, (const std::string& path));
FSLOAD_PLUGIN_METHOD(std::vector<bool>, PathsExist,
                     (const std::vector<std::string>& paths));
FSLOAD_PLUGIN_METHOD(TF_FileStatistics, Stat, (const std::string& path));
FSLOAD_PLUGIN_METHOD(bool, IsDirectory, (const std::string& path));
FSLOAD_PLUGIN_METHOD(int64_t, GetFileSize, (const std::string& path));
FSLOAD_PLUGIN_METHOD(std::string, TranslateName, (const std::string& uri));
FSLOAD_PLUGIN_METHOD(std::vector<std::string>, GetChildren,
                     (const std::string& path));
FSLOAD_PLUGIN_METHOD(std::vector<std::string>, GetMatchingPaths,
                     (const std::string& pattern));
FSLOAD_PLUGIN_METHOD(void, FlushCaches, ());

// Transactions (L721-L844).
FSLOAD_PLUGIN_METHOD(TF_TransactionToken*, StartTransaction, ());
FSLOAD_PLUGIN_METHOD(void, EndTransaction, (TF_TransactionToken * token));
FSLOAD_PLUGIN_METHOD(void, AddToTransaction,
                     (const std::string& path, TF_TransactionToken* token));
FSLOAD_PLUGIN_METHOD(TF_TransactionToken*, GetTransactionForPath,
                     (const std::string& path));
FSLOAD_PLUGIN_METHOD(TF_TransactionToken*, GetOrStartTransactionForPath,
                     (const std::string& path));
FSLOAD_PLUGIN_METHOD(std::string, DecodeTransactionToken,
                     (const TF_TransactionToken* token));

// Configuration (L847-L924).
FSLOAD_PLUGIN_METHOD(std::vector<Option>, GetConfiguration, ());
FSLOAD_PLUGIN_METHOD(void, SetConfiguration,
                     (const std::vector<Option>& options));
FSLOAD_PLUGIN_METHOD(Option, GetConfigurationOption, (const std::string& key));
FSLOAD_PLUGIN_METHOD(void, SetConfigurationOption, (const Option& option));
FSLOAD_PLUGIN_METHOD(std::vector<std::string>, GetConfigurationKeys, ());

#undef FSLOAD_PLUGIN_METHOD

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_METHODS_H_
