#include "loader/tensorflow/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "loader/tensorflow/installation.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_plugin_folder.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// A folder of Python packages with a TensorFlow whose library defines
// TF_SetStatus and nothing else.
class FitTest : public testing::Test {
 protected:
  FitTest() : packages_(NewPath("packages")) {
    WriteFile(packages_ + "/tensorflow/libtensorflow_framework.so.2",
              ReadFile("testdata/linking/libtensorflow_framework.so.2"));
    Install("tensorflow_cpu-2.21.0");
    setenv("PYTHONPATH", packages_.c_str(), 1);
  }
  ~FitTest() override { unsetenv("PYTHONPATH"); }

  void Install(const std::string& name, const std::string& metadata = "") {
    WriteFile(packages_ + "/" + name + ".dist-info/METADATA", metadata);
  }

  // A copy of the plugin in the package tensorflow_io.
  std::string PutInPackage(const std::string& plugin) {
    const std::string path = packages_ + "/tensorflow_io/ops/plugin.so";
    WriteFile(path, ReadFile(plugin));
    return path;
  }

  static TensorFlowFit Compare(const std::string& plugin) {
    const std::optional<TensorFlowInstallation> found = FindTensorFlow(plugin);
    if (!found.has_value()) return {{}, "no TensorFlow", "", "", false};
    return CompareWithTensorFlow(plugin, *found);
  }

  const TestPluginFolder places_;
  const std::string packages_;
};

TEST_F(FitTest, FindsTensorFlowAndItsVersion) {
  const auto found = FindTensorFlow("testdata/minimal.so");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->folder, packages_ + "/tensorflow");
  EXPECT_EQ(found->package, "tensorflow-cpu");
  EXPECT_EQ(found->version, "2.21.0");
  EXPECT_EQ(found->library,
            packages_ + "/tensorflow/libtensorflow_framework.so.2");
}

TEST_F(FitTest, PrefersTheLibraryThatNeedsTheOthers) {
  const std::string library =
      packages_ + "/tensorflow/python/_pywrap_tensorflow_internal.so";
  WriteFile(library, "");
  EXPECT_EQ(FindTensorFlow("testdata/minimal.so")->library, library);
}

TEST_F(FitTest, PrefersTheTensorFlowBesideThePlugin) {
  const std::string beside = NewPath("beside");
  WriteFile(beside + "/tensorflow/libtensorflow_framework.so.2", "");
  WriteFile(beside + "/tensorflow_io/ops/plugin.so", "");
  EXPECT_EQ(FindTensorFlow(beside + "/tensorflow_io/ops/plugin.so")->folder,
            beside + "/tensorflow");
}

TEST_F(FitTest, PackagesWithSimilarNamesAreNotTensorFlow) {
  Install("tensorflow_estimator-2.15.0");
  Install("tensorflow_io-0.37.1");
  EXPECT_EQ(FindTensorFlow("testdata/minimal.so")->version, "2.21.0");
}

TEST_F(FitTest, FindsNoneWhereThereIsNone) {
  setenv("PYTHONPATH", places_.path().c_str(), 1);
  const auto found = FindTensorFlow("testdata/minimal.so");
  // The machine may have one.
  EXPECT_TRUE(!found.has_value() ||
              found->folder.find(packages_) == std::string::npos);
}

TEST_F(FitTest, APluginFitsThatCallsOnlyWhatIsThere) {
  const TensorFlowFit fit = Compare("testdata/linking/named.so");
  EXPECT_EQ(fit.problem, "");
  EXPECT_THAT(fit.missing, IsEmpty());
}

TEST_F(FitTest, NamesTheFunctionThatTensorFlowLacks) {
  EXPECT_THAT(Compare("testdata/linking/missing_in_op.so").missing,
              ElementsAre(StartsWith("tsl::FsloadTestMissing(")));
}

TEST_F(FitTest, NamesTheCFunctionThatTensorFlowLacks) {
  // fsload has it.
  EXPECT_THAT(Compare("testdata/posix.so").missing,
              ElementsAre("TF_Message", "TF_SetStatusFromIOError"));
}

TEST_F(FitTest, NamesTheLibraryThatIsMissing) {
  EXPECT_THAT(Compare("testdata/linking/missing_library.so").missing,
              testing::Contains("libfsload_test_neighbour.so"));
}

TEST_F(FitTest, ComparesTheVersionThatThePackageAsksFor) {
  Install("tensorflow_io-0.37.1",
          "Requires-Dist: tensorflow <2.17.0,>=2.16.0 ; extra == 'x'\n");
  const TensorFlowFit fit = Compare(PutInPackage("testdata/linking/named.so"));
  EXPECT_EQ(fit.package, "tensorflow-io 0.37.1");
  EXPECT_EQ(fit.asks_for, "<2.17.0,>=2.16.0");
  EXPECT_TRUE(fit.asks_for_another);
}

TEST_F(FitTest, APackageThatAsksForTheInstalledVersionIsContent) {
  Install("tensorflow_io-0.37.1", "Requires-Dist: tensorflow >=2.16.0\n");
  EXPECT_FALSE(
      Compare(PutInPackage("testdata/linking/named.so")).asks_for_another);
}

TEST_F(FitTest, SaysWhichFileCannotBeRead) {
  EXPECT_THAT(Compare("testdata/none.so").problem,
              HasSubstr("testdata/none.so: "));
  WriteFile(packages_ + "/tensorflow/libtensorflow_framework.so.2", "text");
  EXPECT_THAT(Compare("testdata/linking/named.so").problem,
              StartsWith(packages_ + "/tensorflow/"));
}

}  // namespace
}  // namespace fsload
