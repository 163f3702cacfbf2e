#include "loader/wheels/wheel_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace fsload {
namespace {

TEST(WheelOrderTest, BeginsWithTheNewestOfEachPackage) {
  const std::vector<std::string> ordered = {
      "b/a-2-py3-none-any.whl",
      "a/a-1-py3-none-any.whl",
      "/w/tensorflow_io-0.100-cp39-cp39-linux_x86_64.whl",
      "/w/tensorflow_io-0.37.1.post1-cp39-cp39-linux_x86_64.whl",
      "/w/tensorflow_io-0.37.1-cp311-cp311-linux_aarch64.whl",
      "/w/tensorflow_io-0.37.1-cp311-cp311-linux_x86_64.whl",
      "/w/tensorflow_io-0.37.1rc1-cp311-cp311-linux_x86_64.whl",
      "/w/tensorflow_io-0.37.0-cp311-cp311-linux_x86_64.whl",
      "/w/tensorflow_io-0.31.0-1-cp39-cp39-linux_x86_64.whl",
      "/w/tensorflow_io-0.9.0-cp39-cp39-linux_x86_64.whl",
      "/w/tensorflow_io-odd-cp39-cp39-linux_x86_64.whl",
      "/w/tensorflow_io_gcs_filesystem-0.37.1-cp311-cp311-linux_x86_64.whl",
      "/w/unnumbered.whl"};
  std::vector<std::string> sorted(ordered.rbegin(), ordered.rend());
  std::sort(sorted.begin(), sorted.end(), WheelComesBefore);
  EXPECT_EQ(sorted, ordered);
}

}  // namespace
}  // namespace fsload
