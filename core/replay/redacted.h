// Keeps passwords in URIs out of journals.
#pragma once

#include "core/replay/journal_line.h"

namespace fsload {

// Replaces the password of a URI ("s3://user:password@host/path") with "***",
// in the arguments and wherever the answer repeats it. What is recorded and
// what a replay asks for are both redacted, so they are equal.
void Redact(JournalCall& call);

}  // namespace fsload
