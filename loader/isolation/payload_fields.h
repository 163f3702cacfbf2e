// The payloads of a status as fields.
#pragma once

#include "fsload/tf_status.h"
#include "loader/isolation/fields.h"

namespace fsload {

// Writes the payloads of `status`.
void PutPayloads(const TF_Status* status, FieldWriter& fields);

// Reads payloads and attaches them to `status`.
void TakePayloads(FieldReader& fields, TF_Status* status);

}  // namespace fsload
