// The journal in a run's work directory, which says whose it is.
#pragma once

#include <optional>
#include <string>

namespace fsload::conformance {

struct Owner {
  std::string host;     // for people
  std::string machine;  // since its last start, and namespace of processes
  int process = 0;
  std::string start;  // of the process: numbers are used again
  bool kept = false;  // with --keep
};

// Returns the name of process `id` of this machine.
Owner OwnerHere(int id, bool kept);

// Returns a line of text, and what such a line says; nothing if it is not one.
std::string JournalOf(const Owner& owner);
std::optional<Owner> OwnerIn(const std::string& journal);

// Returns why what `owner` left must not be deleted: "another run is using it:
// process 7"; "" if the run was on this machine and is over.
std::string WhyNotOver(const Owner& owner);

}  // namespace fsload::conformance
