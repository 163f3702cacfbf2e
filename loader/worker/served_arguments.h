// The arguments of a served call, by their types: read from the request, and
// what the plugin filled in written to the answer.
#pragma once

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "core/calls/op_call.h"
#include "core/calls/plugin_strings.h"
#include "core/file_system/configuration.h"
#include "core/tables/operations.h"
#include "loader/isolation/option_fields.h"
#include "loader/worker/served_call.h"

namespace fsload {

// Sets `status`, which is OK, to what the host's was.
inline void Set(CallStatus& status, TF_Code code, const std::string& message) {
  if (code == TF_OK) return;
  const StatusProvider& provider = status.provider();
  (provider.is_own() ? &TF_SetStatus : provider.set_status)(status.get(), code,
                                                            message.c_str());
}

// Makes a call of the plugin, which `make` makes with the status for it.
template <typename Make>
void CallInto(ServedCall& call, const SchemeTables& tables, const Make& make) {
  CallStatus status(tables.status);
  Set(status, std::exchange(call.before, TF_OK), call.message_before);
  errno = 0;
  CallPlugin(status, [&] { make(status.get()); });
  call.error = errno;
  status.CopyTo(call.status.get());
}

inline bool IsOk(const ServedCall& call) { return call.status.code == TF_OK; }

// One argument: a constructor that reads it, get() for the call, and Write().
template <typename Argument>
struct Held;

template <>
struct Held<const char*> {
  Held(ServedCall& call, const SchemeTables&) : text(call.arguments.Text()) {}
  const char* get(TF_Status*) { return text.c_str(); }
  void Write(ServedCall&) {}
  const std::string text;
};

template <>
struct Held<TF_Status*> {
  Held(ServedCall&, const SchemeTables&) {}
  TF_Status* get(TF_Status* status) { return status; }
  void Write(ServedCall&) {}
};

template <>
struct Held<TF_FileStatistics*> {
  Held(ServedCall& call, const SchemeTables&) {
    value.length = static_cast<int64_t>(call.arguments.Number());
    value.mtime_nsec = static_cast<int64_t>(call.arguments.Number());
    value.is_directory = call.arguments.Bool();
  }
  TF_FileStatistics* get(TF_Status*) { return &value; }
  void Write(ServedCall& call) {
    call.fields.Number(static_cast<uint64_t>(value.length));
    call.fields.Number(static_cast<uint64_t>(value.mtime_nsec));
    call.fields.Number(value.is_directory ? 1 : 0);
  }
  TF_FileStatistics value;
};

template <>
struct Held<uint64_t*> {
  Held(ServedCall& call, const SchemeTables&)
      : value(call.arguments.Number()) {}
  uint64_t* get(TF_Status*) { return &value; }
  void Write(ServedCall& call) { call.fields.Number(value); }
  uint64_t value;
};

template <>
struct Held<char***> {
  Held(ServedCall&, const SchemeTables& tables) : strings(tables) {}
  char*** get(TF_Status*) { return &strings.array; }
  void Write(ServedCall& call) {
    if (!IsOk(call)) {  // freed by the plugin (L660)
      strings.Disown();
      return;
    }
    call.fields.Number(strings.array == nullptr ? 0 : 1);
    if (strings.array == nullptr) return;
    strings.count = static_cast<int>(
        std::min<int64_t>(std::max<int64_t>(call.result, 0), INT_MAX));
    call.fields.Number(static_cast<uint64_t>(strings.count));
    for (int i = 0; i < strings.count; ++i) {
      call.fields.TextOrNull(strings.array[i]);
    }
  }
  PluginStrings strings;
};

class HeldOptions {
 public:
  HeldOptions(ServedCall& call, const SchemeTables& tables, uint64_t count)
      : options_(tables) {
    options_.array =
        AllocateZeroed<TF_Filesystem_Option>(tables.memory, count + 1);
    if (options_.array == nullptr) {
      call.Refuse("plugin_memory_allocate returned null");
      return;
    }
    for (uint64_t i = 0; i < count; ++i) {
      TakeOption(call.arguments, tables.memory, options_.array[i]);
      ++options_.count;
    }
    // The facade of a host passes none without a name or values.
    constexpr Op kOp = Op::kFilesystem_set_filesystem_configuration;
    if (!call.arguments.AtEnd() || !options_.Take(kOp, "").ok()) {
      call.Refuse("options of no call");
    }
  }
  const TF_Filesystem_Option* array() const { return options_.array; }

 private:
  PluginOptions options_;
};

template <>
struct Held<const TF_Filesystem_Option*> {
  Held(ServedCall& call, const SchemeTables& tables)
      : options(call, tables, 1) {}
  const TF_Filesystem_Option* get(TF_Status*) { return options.array(); }
  void Write(ServedCall&) {}
  HeldOptions options;
};

// The arguments of one call, in order. A base for each, because some cannot be
// moved.
template <size_t i, typename Argument>
struct HeldAt : Held<Argument> {
  using Held<Argument>::Held;
};

template <typename Indices, typename... Arguments>
struct AllHeld;

template <size_t... i, typename... Arguments>
struct AllHeld<std::index_sequence<i...>, Arguments...>
    : HeldAt<i, Arguments>... {
  AllHeld(ServedCall& call, const SchemeTables& tables)
      : HeldAt<i, Arguments>(call, tables)... {}

  template <typename Function>
  auto CallWith(Function function, const TF_Filesystem* state,
                [[maybe_unused]] TF_Status* status) {
    return function(state, HeldAt<i, Arguments>::get(status)...);
  }

  void Write(ServedCall& call) { (HeldAt<i, Arguments>::Write(call), ...); }

  // Returns whether `returned` points into the first argument: L633 requires a
  // new text of translate_name, but some plugins return what they were given.
  bool IsGiven(const char* returned) const {
    if constexpr (std::is_base_of_v<HeldAt<0, const char*>, AllHeld>) {
      const std::string& text = HeldAt<0, const char*>::text;
      const std::less_equal<const char*> not_after;
      return not_after(text.data(), returned) &&
             not_after(returned, text.data() + text.size());
    } else {
      return false;
    }
  }
};

}  // namespace fsload
