// Counts the calls of plugins' operations and the retries among them, for
// --explain.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/internal/mutex.h"
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

  // Calls that were repeated after an error.
  struct Retried {
    Op op;
    TF_Code code;
    uint64_t times = 0;
    std::string message;  // of the last such error
  };

  void OnCall(const OpCall& call) override;

  // Counts a call of `op` that has failed and is repeated.
  void OnRetry(std::string_view scheme, Op op, TF_Code code,
               std::string_view message);

  // Returns the count of `op` for the plugin that serves `scheme`.
  Count Of(std::string_view scheme, Op op) const;

  // Returns the retries by operation and code.
  std::vector<Retried> RetriedOf(std::string_view scheme) const;

 private:
  // More schemes than any run uses; calls of any beyond are not counted.
  static constexpr size_t kMaxSchemes = 16;

  struct Counter {
    // The default order; relaxed would do: they are counts.
    std::atomic<uint64_t> calls{0};
    std::atomic<uint64_t> failed{0};
    std::atomic<uint64_t> bytes{0};
  };
  struct SchemeCounter {
    std::array<char, SchemeTables::kMaxSchemeBytes> name = {};
    std::array<Counter, std::size(kOperations)> operations;
  };

  // Returns null if there is none, or no space.
  const SchemeCounter* Find(std::string_view scheme) const;
  SchemeCounter* FindOrAdd(std::string_view scheme);

  mutable Mutex mutex_;  // held to add a scheme
  // Those below it do not change: it is stored when a name is complete. The
  // default order; release and acquire are needed, for the name.
  std::atomic<size_t> used_{0};
  std::array<SchemeCounter, kMaxSchemes> schemes_;

  std::map<std::string, std::map<std::pair<Op, TF_Code>, Retried>, std::less<>>
      retried_ ABSL_GUARDED_BY(mutex_);  // by scheme
};

}  // namespace fsload
