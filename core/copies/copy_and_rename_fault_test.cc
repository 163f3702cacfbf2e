#include <cstdio>
#include <functional>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr char kNew[] = "the contents of the source";

// What is where when a file is copied or renamed.
struct Layout {
  std::string name;
  std::function<void(MemoryTree&, const std::string& old)> build;
  std::string src;
  std::string dst;
  std::string lands;  // where the file ends up
  bool translated = true;
};

std::vector<Layout> LayoutsOfBoth() {
  const auto add_source = [](MemoryTree& tree, const std::string&) {
    tree.AddFile("/d/src", kNew);
  };
  const auto add_both = [](MemoryTree& tree, const std::string& old) {
    tree.AddFile("/d/src", kNew);
    tree.AddFile("/d/dst", old);
  };
  return {
      {"NewTarget", add_source, "/d/src", "/d/dst", "/d/dst"},
      {"NewTargetInTheRoot", add_source, "/d/src", "/dst", "/dst"},
      {"ExistingTarget", add_both, "/d/src", "/d/dst", "/d/dst"},
      {"RelativeNames",
       [](MemoryTree& tree, const std::string& old) {
         tree.AddFile("src", kNew);
         tree.AddFile("dst", old);
       },
       "src", "dst", "/dst"},
      {"TargetIsALinkToTheSource",
       [](MemoryTree& tree, const std::string&) {
         tree.AddFile("/d/src", kNew);
         tree.AddLink("/l/dst", "/d/src");
       },
       "/d/src", "/l/dst", "/l/dst"},
      {"SourceIsALinkToTheTarget",
       [](MemoryTree& tree, const std::string&) {
         tree.AddFile("/d/dst", kNew);
         tree.AddLink("/l/src", "/d/dst");
       },
       "/l/src", "/d/dst", "/d/dst"},
      {"TargetIsALinkToAnotherFile",
       [](MemoryTree& tree, const std::string& old) {
         tree.AddFile("/d/src", kNew);
         tree.AddFile("/o/other", old);
         tree.AddLink("/d/dst", "/o/other");
       },
       "/d/src", "/d/dst", "/d/dst"},
      {"TargetIsBelowALinkToTheSourcesDirectory",
       [](MemoryTree& tree, const std::string&) {
         tree.AddFile("/d/file", kNew);
         tree.AddLink("/l", "/d");
       },
       "/d/file", "/l/file", "/d/file"},
      {"TargetHasTwoSlashes", add_source, "/d/src", "/d//src", "/d/src", false},
      {"TargetDiffersInCase",
       [](MemoryTree& tree, const std::string&) {
         tree.deviations.folds_case = true;
         tree.AddFile("/d/src", kNew);
       },
       "/d/src", "/D/SRC", "/d/src"},
  };
}

std::vector<Layout> LayoutsOfCopy() {
  std::vector<Layout> layouts = LayoutsOfBoth();
  layouts.push_back({"IntoADirectory",
                     [](MemoryTree& tree, const std::string&) {
                       tree.AddFile("/d/src", kNew);
                       tree.AddDirectory("/into");
                     },
                     "/d/src", "/into", "/into/src"});
  layouts.push_back({"OntoAFileInADirectory",
                     [](MemoryTree& tree, const std::string& old) {
                       tree.AddFile("/d/src", kNew);
                       tree.AddFile("/into/src", old);
                     },
                     "/d/src", "/into", "/into/src"});
  layouts.push_back({"IntoItsOwnDirectory",
                     [](MemoryTree& tree, const std::string&) {
                       tree.AddFile("/d/src", kNew);
                       tree.AddLink("/l", "/d");
                     },
                     "/d/src", "/l", "/d/src"});
  return layouts;
}

// The properties of the plugin.
struct Variant {
  const char* name;
  bool renames;        // the call, not the plugin
  bool has_the_other;  // has rename_file when copying, copy_file when renaming
  bool commits_on_close;  // as object stores do
  bool same_length;       // old and new contents
  bool is_store = false;  // fsload knows that it commits on close

  friend void PrintTo(const Variant& variant, std::ostream* out) {
    *out << variant.name;
  }
};

constexpr Variant kVariants[] = {
    {"Copy", false, false, false, false},
    {"CopySameLength", false, false, false, true},
    {"CopyCommitting", false, false, true, true},
    {"CopyWithRenameFile", false, true, false, false},
    {"CopyWithRenameFileSameLength", false, true, false, true},
    {"CopyWithRenameFileCommitting", false, true, true, true},
    {"Rename", true, false, false, false},
    {"RenameSameLength", true, false, false, true},
    {"RenameCommitting", true, false, true, true},
    {"CopyToStore", false, false, true, false, true},
    {"CopyToStoreSameLength", false, false, true, true, true},
    {"CopyToStoreWithRenameFile", false, true, true, true, true},
    {"RenameWithCopyFile", true, true, false, false},
    {"RenameWithCopyFileSameLength", true, true, false, true},
};

class CopyAndRenameFaultTest : public ::testing::TestWithParam<Variant> {
 protected:
  static SchemeTables Tables(bool translated) {
    std::vector<Op> optional;
    if (GetParam().has_the_other) {
      optional.push_back(GetParam().renames ? Op::kFilesystem_copy_file
                                            : Op::kFilesystem_rename_file);
    }
    if (!translated) optional.push_back(Op::kFilesystem_translate_name);
    SchemeTables tables = MemoryTree::Tables(optional);
    tables.traits.replaces_atomically = GetParam().is_store;
    return tables;
  }

  // Copies or renames with one fault and checks that nothing is lost. Returns
  // whether the fault was reached.
  bool Check(const Layout& layout, const Fault& fault) {
    tree_.Clear();
    tree_.deviations.commits_on_close = GetParam().commits_on_close;
    layout.build(tree_, old_);
    before_ = tree_.Snapshot();
    tree_.fault = fault;
    const auto& files = layout.translated ? translating_ : verbatim_;
    EXPECT_EQ(files->FlushCaches(), absl::OkStatus());
    const absl::Status status = GetParam().renames
                                    ? files->RenameFile(layout.src, layout.dst)
                                    : files->CopyFile(layout.src, layout.dst);
    SCOPED_TRACE(::testing::Message()
                 << layout.name << ", call " << fault.call << ", code "
                 << fault.code << (fault.throws ? " thrown" : "")
                 << (fault.when == Fault::When::kAfter ? " after: " : ": ")
                 << status);
    const auto after = tree_.Snapshot();
    const std::string message(status.message());
    if (status.ok() || message.find("all else is done") != std::string::npos) {
      ExpectDone(layout, message, after);
    } else {
      ExpectNothingLost(status, after);
      ExpectWordsOf(fault, status);
    }
    return tree_.calls() >= fault.call;
  }

  // The paths in `message` that directly follow `words`.
  std::set<std::string> Names(const std::string& message,
                              const std::string& words) const {
    constexpr char kEnds[] = " ();,:'";
    std::set<std::string> names;
    for (size_t at = 0; (at = message.find(words, at)) != std::string::npos;) {
      at += words.size();
      const size_t end = message.find_first_of(kEnds, at);
      names.insert(tree_.Locate(message.substr(at, end - at)));
      if (end == std::string::npos) break;
      if (words.empty()) at = end + 1;
    }
    return names;
  }

  // The file is at its target, and only what `message` names is left over.
  void ExpectDone(const Layout& layout, const std::string& message,
                  const std::map<std::string, std::string>& after) {
    const auto contents = tree_.Contents(layout.lands);
    ASSERT_NE(contents, nullptr);
    EXPECT_EQ(*contents, kNew);
    for (const auto& [path, what] : after) {
      const bool named =
          Names(message, "could not delete the temporary file ").count(path) >
          0;
      EXPECT_TRUE(before_.count(path) > 0 || path == layout.lands || named)
          << path;
    }
    if (!GetParam().renames) {
      ASSERT_NE(tree_.Contents(layout.src), nullptr);
      EXPECT_EQ(*tree_.Contents(layout.src), kNew);
    } else if (layout.src != layout.lands) {
      EXPECT_FALSE(tree_.Exists(layout.src));
    }
  }

  // Every file's contents are where they were, or where the message says; new
  // files are named there.
  void ExpectNothingLost(const absl::Status& status,
                         const std::map<std::string, std::string>& after) {
    const std::string message(status.message());
    const std::set<std::string> named = Names(message, "");
    for (const auto& [old_path, old_what] : before_) {
      if (old_what.rfind("file: ", 0) != 0) continue;
      bool found = false;
      for (const auto& [path, what] : after) {
        found |=
            what == old_what && (path == old_path || named.count(path) > 0);
      }
      EXPECT_TRUE(found) << old_path << ", " << old_what;
    }
    for (const auto& [path, what] : after) {
      EXPECT_TRUE(before_.count(path) > 0 || named.count(path) > 0) << path;
    }
    const bool says_where =
        message.find("left over") != std::string::npos ||
        message.find(" is left, because ") != std::string::npos ||
        message.find("could not delete ") != std::string::npos ||
        message.find(" is in ") != std::string::npos ||
        message.find(" are in ") != std::string::npos;
    if (!says_where) {
      EXPECT_EQ(after, before_);
    }
  }

  static void ExpectWordsOf(const Fault& fault, const absl::Status& status) {
    const std::string message(status.message());
    // The fault makes a read report an end of file that is not there.
    if (fault.code == TF_OUT_OF_RANGE && absl::IsDataLoss(status)) {
      EXPECT_THAT(message,
                  AnyOf(HasSubstr("the plugin reported end of file after"),
                        HasSubstr("the plugin reported success")));
      return;
    }
    // If the confirmation fails, the message says why the result is unknown.
    if (message.find("could not be confirmed") != std::string::npos) {
      EXPECT_EQ(status.code(), fault.code == TF_PERMISSION_DENIED ||
                                       fault.code == TF_UNAUTHENTICATED
                                   ? absl::StatusCode::kPermissionDenied
                                   : absl::StatusCode::kUnavailable);
      // A missing directory contradicts the listing of its parent.
      EXPECT_THAT(message, HasSubstr(fault.code == TF_NOT_FOUND
                                         ? "another operation of the plugin"
                                         : "injected"));
      return;
    }
    EXPECT_EQ(status.code(), absl::StatusCode(fault.code));
    EXPECT_THAT(status.message(), HasSubstr("injected"));
  }

  MemoryTree tree_;
  const FileSystemPtr translating_ = tree_.Open(Tables(true));
  const FileSystemPtr verbatim_ = tree_.Open(Tables(false));
  const std::string old_ = GetParam().same_length
                               ? "what the target had before"
                               : "what the target had before that";
  std::map<std::string, std::string> before_;
};

TEST_P(CopyAndRenameFaultTest, LosesNoFileWhicheverCallFails) {
  int cases = 0;
  for (const Layout& layout :
       GetParam().renames ? LayoutsOfBoth() : LayoutsOfCopy()) {
    EXPECT_FALSE(Check(layout, {UINT64_MAX}));
    for (const auto when : {Fault::When::kBefore, Fault::When::kAfter}) {
      for (int code = TF_CANCELLED; code <= TF_UNAUTHENTICATED; ++code) {
        for (uint64_t call = 1; Check(layout, {call, when, TF_Code(code)});
             ++call) {
          ++cases;
        }
      }
      for (uint64_t call = 1; Check(layout, {call, when, TF_INTERNAL, true});
           ++call) {
        ++cases;
      }
    }
  }
  std::printf("%d cases\n", cases);
  EXPECT_GT(cases, 3000);
}

INSTANTIATE_TEST_SUITE_P(Variants, CopyAndRenameFaultTest,
                         ::testing::ValuesIn(kVariants),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace fsload
