// The payloads of a status as fields.
#ifndef FSLOAD_LOADER_ISOLATION_PAYLOAD_FIELDS_H_
#define FSLOAD_LOADER_ISOLATION_PAYLOAD_FIELDS_H_

#include "fsload/tf_status.h"
#include "loader/isolation/fields.h"

namespace fsload {

// Writes the payloads of `status`.
void PutPayloads(const TF_Status* status, FieldWriter& fields);

// Reads payloads and attaches them to `status`.
void TakePayloads(FieldReader& fields, TF_Status* status);

}  // namespace fsload

#endif  // FSLOAD_LOADER_ISOLATION_PAYLOAD_FIELDS_H_
