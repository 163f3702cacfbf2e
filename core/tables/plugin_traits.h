// What is known of a plugin that its tables do not say.
#ifndef FSLOAD_CORE_TABLES_PLUGIN_TRAITS_H_
#define FSLOAD_CORE_TABLES_PLUGIN_TRAITS_H_

#include <cstdint>

namespace fsload {

enum class Op : uint8_t;  // core/tables/operations.h

// An operation of a plugin that the host does not use, since it destroys data.
struct WithdrawnOp {
  Op op = {};
  const char* effect = nullptr;  // what it does; lives as long as the process
};

// A value; the defaults are those of a plugin that nothing is known of.
struct PluginTraits {
  // What is written to a file shows when it is closed, all at once and in the
  // place of what was there; of a file that is cleaned up without having been
  // closed nothing shows.
  bool replaces_atomically = false;

  // Its NOT_FOUND and its ends of files are the kernel's own. Others say
  // NOT_FOUND of what they may not see and of servers that do not answer, and
  // are asked a second question (core/defaults/second_look.h).
  bool is_exact = false;

  // To open a file and read it tells one that is missing from one that may not
  // be seen, or whose server fails; to list its directory may take long.
  bool reading_tells = false;

  // Files of it must be written out (flush, sync, close) one at a time: after
  // an upload that failed it sends what buffers that all files share hold by
  // then.
  bool uploads_alone = false;

  // Its operations that are null in the tables although it has them.
  static constexpr int kMostWithdrawn = 4;
  WithdrawnOp withdrawn[kMostWithdrawn] = {};
};

// What `op` of the plugin would do, where it was withdrawn; else null.
constexpr const char* WhyWithdrawn(const PluginTraits& traits, Op op) {
  for (const WithdrawnOp& each : traits.withdrawn) {
    if (each.effect != nullptr && each.op == op) return each.effect;
  }
  return nullptr;
}

}  // namespace fsload

#endif  // FSLOAD_CORE_TABLES_PLUGIN_TRAITS_H_
