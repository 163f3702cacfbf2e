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

// Of a file system (L323-L924), in the order of the table: the operation, the
// template that makes it of the method (NAMEOperation), and the method.
#define FSLOAD_PLUGIN_METHODS(METHOD)                                          \
  METHOD(new_random_access_file, Open, std::unique_ptr<YourReader>,            \
         NewRandomAccessFile, (const std::string& path))                       \
  METHOD(new_writable_file, Open, std::unique_ptr<YourWriter>,                 \
         NewWritableFile, (const std::string& path))                           \
  METHOD(new_appendable_file, Open, std::unique_ptr<YourWriter>,               \
         NewAppendableFile, (const std::string& path))                         \
  METHOD(new_read_only_memory_region_from_file, Open,                          \
         std::unique_ptr<YourRegion>, NewReadOnlyMemoryRegionFromFile,         \
         (const std::string& path))                                            \
  METHOD(create_dir, Path, void, CreateDir, (const std::string& path))         \
  METHOD(recursively_create_dir, Path, void, RecursivelyCreateDir,             \
         (const std::string& path))                                            \
  METHOD(delete_file, Path, void, DeleteFile, (const std::string& path))       \
  METHOD(delete_dir, Path, void, DeleteDir, (const std::string& path))         \
  METHOD(delete_recursively, DeleteRecursively, void, DeleteRecursively,       \
         (const std::string& path, uint64_t* undeleted_files,                  \
          uint64_t* undeleted_dirs))                                           \
  METHOD(rename_file, TwoPaths, void, RenameFile,                              \
         (const std::string& src, const std::string& dst))                     \
  METHOD(copy_file, TwoPaths, void, CopyFile,                                  \
         (const std::string& src, const std::string& dst))                     \
  METHOD(path_exists, PathExists, bool, PathExists, (const std::string& path)) \
  METHOD(paths_exist, PathsExist, std::vector<bool>, PathsExist,               \
         (const std::vector<std::string>& paths))                              \
  METHOD(stat, Stat, TF_FileStatistics, Stat, (const std::string& path))       \
  METHOD(is_directory, IsDirectory, bool, IsDirectory,                         \
         (const std::string& path))                                            \
  METHOD(get_file_size, GetFileSize, int64_t, GetFileSize,                     \
         (const std::string& path))                                            \
  METHOD(translate_name, TranslateName, std::string, TranslateName,            \
         (const std::string& uri))                                             \
  METHOD(get_children, List, std::vector<std::string>, GetChildren,            \
         (const std::string& path))                                            \
  METHOD(get_matching_paths, List, std::vector<std::string>, GetMatchingPaths, \
         (const std::string& pattern))                                         \
  METHOD(flush_caches, FlushCaches, void, FlushCaches, ())                     \
  METHOD(start_transaction, StartTransaction, TF_TransactionToken*,            \
         StartTransaction, ())                                                 \
  METHOD(end_transaction, EndTransaction, void, EndTransaction,                \
         (TF_TransactionToken * token))                                        \
  METHOD(add_to_transaction, AddToTransaction, void, AddToTransaction,         \
         (const std::string& path, TF_TransactionToken* token))                \
  METHOD(get_transaction_for_path, TransactionForPath, TF_TransactionToken*,   \
         GetTransactionForPath, (const std::string& path))                     \
  METHOD(get_or_start_transaction_for_path, TransactionForPath,                \
         TF_TransactionToken*, GetOrStartTransactionForPath,                   \
         (const std::string& path))                                            \
  METHOD(decode_transaction_token, DecodeTransactionToken, std::string,        \
         DecodeTransactionToken, (const TF_TransactionToken* token))           \
  METHOD(get_filesystem_configuration, GetConfiguration, std::vector<Option>,  \
         GetConfiguration, ())                                                 \
  METHOD(set_filesystem_configuration, SetConfiguration, void,                 \
         SetConfiguration, (const std::vector<Option>& options))               \
  METHOD(get_filesystem_configuration_option, GetConfigurationOption, Option,  \
         GetConfigurationOption, (const std::string& key))                     \
  METHOD(set_filesystem_configuration_option, SetConfigurationOption, void,    \
         SetConfigurationOption, (const Option& option))                       \
  METHOD(get_filesystem_configuration_keys, GetConfigurationKeys,              \
         std::vector<std::string>, GetConfigurationKeys, ())

#define FSLOAD_PLUGIN_DECLARE(slot, shape, returned, name, arguments) \
  FSLOAD_PLUGIN_METHOD(returned, name, arguments);
FSLOAD_PLUGIN_METHODS(FSLOAD_PLUGIN_DECLARE)
#undef FSLOAD_PLUGIN_DECLARE
#undef FSLOAD_PLUGIN_METHOD

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_METHODS_H_
