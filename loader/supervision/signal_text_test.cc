#include "loader/supervision/signal_text.h"

#include <gtest/gtest.h>

#include <csignal>

namespace fsload {
namespace {

TEST(SignalTextTest, BeginsWithTheStandardName) {
  EXPECT_EQ(SignalText(SIGSEGV), "SIGSEGV (segmentation fault)");
  EXPECT_EQ(SignalText(SIGABRT), "SIGABRT (aborted)");
  EXPECT_EQ(SignalText(SIGXCPU), "SIGXCPU (CPU time limit exceeded)");
  EXPECT_EQ(SignalText(40), "signal 40");
  EXPECT_EQ(SignalName(SIGTERM), "SIGTERM");
}

}  // namespace
}  // namespace fsload
