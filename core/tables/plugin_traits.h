// What is known of a plugin beyond its tables.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fsload {

enum class Op : uint8_t;  // core/tables/operations.h

// An operation of a plugin that the host does not use because it destroys data.
struct DisabledOp {
  Op op = {};
  const char* effect = nullptr;  // what it does; valid as long as the process
};

// A value type. The defaults are those of tables that obey the interface and of
// which nothing more is known; a plugin that fsload loads and does not know
// gets others (DisableKnown in loader/known_plugins/disabled_ops.h).
struct PluginTraits {
  // A file's new contents appear all at once when it is closed, replacing the
  // old ones; a file that is cleaned up without being closed leaves no trace.
  bool replaces_atomically = false;

  // Its NOT_FOUND and ends of files come from the kernel. Other plugins return
  // NOT_FOUND for what they may not see and for servers that do not answer, and
  // get a second check (core/copies/confirmed_lookup.h).
  bool is_exact = false;

  // translate_name returns a path of this machine.
  bool has_local_paths = false;

  // Opening and reading a file distinguishes a missing one from one that may
  // not be seen or whose server fails; listing its directory may be slow.
  bool reading_tells = false;

  // delete_file deletes the object of exactly that name, and is OK where there
  // is none: it may be given the name of a directory, which stays.
  bool deletes_by_name = false;

  // rename_file and copy_file work between two hosts (buckets, name nodes,
  // accounts) and change nothing where both names are one file's. Otherwise
  // files are copied, compared and deleted there.
  bool crosses_hosts = false;

  // A file to which nothing was appended is not stored when it is closed, and
  // an older one stays: something, if only nothing, must be appended.
  bool forgets_empty_files = false;

  // UNKNOWN and INTERNAL are what it reports for a server that fails for the
  // moment: for the statuses 429, 500 and 503, and for lost connections.
  bool hides_unavailable = false;

  // Nobody has tested what it does besides what it is asked to do: its
  // delete_dir is tried before it is used
  // (core/defaults/untested_delete_dir.h), and what its listings lack is asked
  // for before something is deleted because of that.
  bool is_untested = false;

  // Times are nanoseconds since the year 1, and overflow.
  bool counts_from_year_1 = false;

  // get_children is OK with no names for a directory that cannot be listed;
  // errno is then not 0.
  bool empty_listing_sets_errno = false;

  // Each change is refused: whoever asks for one is answered at once.
  bool refuses_changes = false;

  // "/" is a bucket, which stays when everything in it is deleted.
  bool root_is_bucket = false;

  // It has no links: what looks like a directory is one.
  bool has_no_links = false;

  // Its paths are below a directory that they do not name
  // (fsload/subtree.h).
  bool has_other_paths = false;

  // Its operations that the tables have as null although it has them.
  static constexpr size_t kMaxDisabled = 10;
  DisabledOp disabled[kMaxDisabled] = {};
};

// A trait by the name that it has in a journal (docs/replay.md).
struct NamedTrait {
  const char* name;
  bool PluginTraits::*value;
};

inline constexpr NamedTrait kNamedTraits[] = {
#define FSLOAD_TRAIT(name) \
  { #name, &PluginTraits::name }
    FSLOAD_TRAIT(replaces_atomically), FSLOAD_TRAIT(is_exact),
    FSLOAD_TRAIT(reading_tells),       FSLOAD_TRAIT(deletes_by_name),
    FSLOAD_TRAIT(crosses_hosts),       FSLOAD_TRAIT(forgets_empty_files),
    FSLOAD_TRAIT(hides_unavailable),   FSLOAD_TRAIT(is_untested),
    FSLOAD_TRAIT(counts_from_year_1),  FSLOAD_TRAIT(empty_listing_sets_errno),
    FSLOAD_TRAIT(has_no_links),        FSLOAD_TRAIT(has_local_paths),
    FSLOAD_TRAIT(refuses_changes),     FSLOAD_TRAIT(root_is_bucket),
    FSLOAD_TRAIT(has_other_paths),
#undef FSLOAD_TRAIT
};

// Returns whether the plugin is asked again after what it reports as done: a
// disk's answers are the kernel's, and each request to a known store costs
// time.
constexpr bool NeedsConfirmation(const PluginTraits& traits) {
  return !traits.is_exact && !traits.replaces_atomically;
}

// Returns whether a plugin is asked by reading rather than by stat where both
// can tell: a read is one request to a known store, and stat may be two. A
// disk's stat is no request.
constexpr bool PrefersReadToStat(const PluginTraits& traits) {
  return traits.reading_tells && !traits.is_exact;
}

// Returns what the plugin's `op` would do, if it was disabled; otherwise null.
constexpr const char* WhyDisabled(const PluginTraits& traits, Op op) {
  for (const DisabledOp& each : traits.disabled) {
    if (each.effect != nullptr && each.op == op) return each.effect;
  }
  return nullptr;
}

}  // namespace fsload
