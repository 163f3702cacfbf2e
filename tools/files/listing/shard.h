// A part of a plan, for one of several machines.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"

namespace fsload {

// Every `count`-th file of a plan, starting with number `index`, from 1. The
// shards of one count cover every file exactly once.
struct Shard {
  size_t index = 1;
  size_t count = 1;

  // Returns whether the file `number`, from 0, belongs to it.
  bool Has(size_t number) const { return number % count == index - 1; }
};

// Returns from "2/5". INVALID_ARGUMENT for anything but 1 <= I <= N <= 1000000.
absl::StatusOr<Shard> ParseShard(std::string_view text);

}  // namespace fsload
