// What a method returns, as a Result: it may return nothing or a value, and
// throw; a status (what has ok(), code() and message(), as absl::Status has);
// or a result (what has ok(), status() and *, as absl::StatusOr has).
#ifndef FSLOAD_PLUGIN_SDK_RETURNS_H_
#define FSLOAD_PLUGIN_SDK_RETURNS_H_

#include <string>
#include <type_traits>
#include <utility>

#include "fsload/plugin_sdk/methods.h"
#include "fsload/plugin_sdk/status.h"

namespace fsload {
namespace plugin {
namespace internal {
#pragma GCC visibility push(hidden)

// The value of a method that returns none.
struct Nothing {};

inline Status ToStatus(Status status) { return status; }

// Converts a status: TF_Code has the values of absl::StatusCode.
template <typename Other>
Status ToStatus(const Other& other) {
  if (other.ok()) return Status();
  return Status(static_cast<TF_Code>(static_cast<int>(other.code())),
                std::string(other.message().data(), other.message().size()));
}

template <typename R, typename Void = void>
struct IsStatus : std::false_type {};
template <typename R>
struct IsStatus<
    R, typename AlwaysVoid<decltype(std::declval<const R&>().ok()),
                           decltype(std::declval<const R&>().code()),
                           decltype(std::declval<const R&>().message())>::Type>
    : std::true_type {};

template <typename R, typename Void = void>
struct IsResult : std::false_type {};
template <typename R>
struct IsResult<R,
                typename AlwaysVoid<decltype(std::declval<const R&>().ok()),
                                    decltype(std::declval<const R&>().status()),
                                    decltype(*std::declval<R&>())>::Type>
    : std::true_type {};

// What a method that returns `R` returns, and how to call it for that.
template <typename R, bool kIsStatus = IsStatus<R>::value,
          bool kIsResult = IsResult<R>::value>
struct Returned {
  using Value = R;
  template <typename Call>
  static Result<Value> Of(const Call& call) {
    return call();
  }
};

template <>
struct Returned<void, false, false> {
  using Value = Nothing;
  template <typename Call>
  static Result<Value> Of(const Call& call) {
    call();
    return Nothing();
  }
};

template <typename R>
struct Returned<R, true, false> {
  using Value = Nothing;
  template <typename Call>
  static Result<Value> Of(const Call& call) {
    Status status = ToStatus(call());
    if (!status.ok()) return status;
    return Nothing();
  }
};

template <typename R>
struct Returned<R, false, true> {
  using Value = typename std::decay<decltype(*std::declval<R&>())>::type;
  template <typename Call>
  static Result<Value> Of(const Call& call) {
    R result = call();
    if (!result.ok()) return ToStatus(result.status());
    return std::move(*result);
  }
};

template <typename Method, typename T, typename... Args>
using ReturnedBy = Returned<typename std::decay<decltype(Method::On(
    std::declval<T&>(), std::declval<Args>()...))>::type>;

// Calls the method, which is to return what converts to `Wanted`: Nothing, if
// it is to return nothing.
template <typename Wanted, typename Method, typename T, typename... Args>
Result<Wanted> Invoke(T& object, const Args&... args) {
  using Call = ReturnedBy<Method, T, const Args&...>;
  using Value = typename Call::Value;
  // A bool is no number of bytes, nor is a number an answer.
  constexpr bool kRight =
      std::is_convertible<Value, Wanted>::value &&
      std::is_same<Value, bool>::value == std::is_same<Wanted, bool>::value;
  static_assert(sizeof(typename Method::template Returns<kRight>) > 0, "");
  Result<Value> result = Call::Of([&] { return Method::On(object, args...); });
  if (!result.ok()) return result.status();
  return Wanted(std::move(*result));
}

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_RETURNS_H_
