// What a journal says of one call that passes a layer, as shapes.h describes
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "core/replay/journal_file.h"
#include "core/replay/journal_line.h"
#include "core/replay/token_numbers.h"
#include "core/wrappers/layer_call.h"

namespace fsload {

// One call, on its thread.
struct RecordedCall {
  // Notes the arguments; `number` is that of the file system in the journal.
  RecordedCall(const LayerCall& passed, uint64_t number, TokenNumbers& numbers,
               JournalFile& journal);

  // Notes what the operation has returned; the code is set.
  void NoteAnswer(const LayerCall& passed);

  void Add(std::string text) { call.arguments.emplace_back(std::move(text)); }
  void Add(uint64_t number) { call.arguments.emplace_back(number); }

  bool ok() const { return call.code == TF_OK; }

  // Returns what a line has of `n` bytes; writing stops if they are more than
  // it can hold.
  std::string Contents(const void* bytes, size_t n) const;

  JournalCall call;
  TokenNumbers& tokens;
  JournalFile& file;
};

}  // namespace fsload
