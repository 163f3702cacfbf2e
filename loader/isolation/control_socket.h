// What passes between a program and its worker beside calls: descriptors, and
// what to do with them.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/system/descriptor.h"

namespace fsload {

// Of the protocol between both; a worker of another one is refused.
inline constexpr uint32_t kWorkerProtocol = 1;

enum class ControlKind : uint32_t {
  kHello,   // from the worker, the first: its version and protocol
  kSlots,   // the memory of all slots
  kThread,  // start a thread that answers a slot
  kBuffer,  // memory for the calls of a slot; without bytes: none
  kQuit,    // end the process
};

struct ControlMessage {
  ControlKind kind = ControlKind::kHello;
  uint32_t slot = 0;
  uint64_t bytes = 0;     // of the memory
  uint64_t buffer = 0;    // its number
  uint32_t protocol = 0;  // of kHello
  char version[32] = {};  // of kHello, null-terminated
};

// Sends a message, with a descriptor unless that is negative. Returns false,
// with errno, if that fails, or takes longer than `timeout`.
bool SendControl(int socket, const ControlMessage& message, int descriptor,
                 absl::Duration timeout);

// Receives one into `message`, with a descriptor if one came. False, with
// errno, for none in time; errno is 0 at the end, EBADMSG for what is no
// message, and EMFILE if this process may not have the descriptor, or for two.
bool ReceiveControl(int socket, ControlMessage& message, Descriptor& descriptor,
                    absl::Duration timeout);

// Returns FAILED_PRECONDITION if the `hello` of `program` is of another version
// or protocol than this one.
absl::Status CheckVersion(const ControlMessage& hello,
                          const std::string& program);

}  // namespace fsload
