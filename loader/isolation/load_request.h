// What a worker is asked to load, and what it answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/replay/journal_line.h"
#include "fsload/load_options.h"
#include "fsload/load_report.h"

namespace fsload {

struct LoadRequest {
  std::string plugin;         // its path, or its name
  bool from_bytes = false;    // its contents come with the request
  std::string file_identity;  // that its file must have; "": any
  uint64_t memory_limit = 0;  // of the process, bytes; 0: none
  LoadOptions options;        // those that are values
};

// Returns what the error of a process says of a limit that may be its reason,
// "; memory_limit allows ..."; "" without one.
std::string MemoryLimitText(uint64_t bytes);

// Returns the request as the fields of a call.
std::string ToFields(const LoadRequest& request);

// Returns none for what is no request.
std::optional<LoadRequest> LoadRequestFrom(std::string_view text);

struct LoadAnswer {
  LoadReport report;
  std::string file_identity;  // "" if the file could not be read
  // The file systems that can be called, by their index.
  std::vector<JournalFileSystem> file_systems;
};

std::string ToFields(const LoadAnswer& answer);

// Returns none for what is no answer: a plugin may have written it.
std::optional<LoadAnswer> LoadAnswerFrom(std::string_view text);

}  // namespace fsload
