// Counts the calls of plugins' operations, for --explain.
#ifndef FSLOAD_TOOLS_FILES_STATE_CALL_COUNTS_H_
#define FSLOAD_TOOLS_FILES_STATE_CALL_COUNTS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <string_view>

#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/op_observer.h"

namespace fsload {

// May be used from any thread.
class CallCounts final : public OpObserver {
 public:
  struct Count {
    uint64_t calls = 0;
    uint64_t failed = 0;  // calls that ended with neither OK nor end of file
    uint64_t bytes = 0;   // read or appended
  };

  void OnCall(const OpCall& call) override;

  // The count of `op` for the plugin that serves `scheme`.
  Count Of(std::string_view scheme, Op op) const;

 private:
  // More schemes than any run uses; calls of any beyond are not counted.
  static constexpr size_t kMostSchemes = 16;

  struct Counter {
    std::atomic<uint64_t> calls{0};
    std::atomic<uint64_t> failed{0};
    std::atomic<uint64_t> bytes{0};
  };
  struct SchemeCounter {
    std::array<char, SchemeTables::kMostSchemeBytes> name = {};
    std::array<Counter, std::size(kOperations)> operations;
  };

  // Null if there is none, or no space.
  const SchemeCounter* Find(std::string_view scheme) const;
  SchemeCounter* FindOrAdd(std::string_view scheme);

  std::mutex mutex_;             // held to add a scheme
  std::atomic<size_t> used_{0};  // those below it do not change
  std::array<SchemeCounter, kMostSchemes> schemes_;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_STATE_CALL_COUNTS_H_
