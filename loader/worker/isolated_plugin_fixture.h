// The fixture of tests of plugins in processes of their own.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/testing/test_processes.h"

namespace fsload {

class IsolatedPluginTest : public testing::Test {
 protected:
  ~IsolatedPluginTest() override {
    EXPECT_EQ(registry_.RetireAll(), absl::OkStatus());
  }

  LoadOptions Options() {
    LoadOptions options;
    options.registry = &registry_;
    options.isolation.emplace();
    return options;
  }

  SchemeRegistry registry_;
};

// Kills the worker and waits until that is known: the thread that watches it
// then ends.
inline void KillWorker() {
  kill(ChildProcesses().at(0), SIGKILL);
  AwaitOneThread();
}

}  // namespace fsload
