#include "fsload/file_streams.h"

#include <ios>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "core/tables/op_tables.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

constexpr size_t kMebibyte = size_t{1} << 20;

class FileStreamsTest : public ::testing::Test {
 protected:
  FileStreamsTest() { tree_.deviations.commits_on_close = true; }

  static SchemeTables StoreTables() {
    SchemeTables tables = MemoryTree::Tables();
    tables.traits.replaces_atomically = true;
    return tables;
  }

  std::unique_ptr<InputFileStream> Input(std::string contents) {
    tree_.AddFile("/in", std::move(contents));
    auto in = InputFileStream::Open(*files_, "/in");
    EXPECT_EQ(in.status(), absl::OkStatus());
    tree_.ForgetCalls();
    return *std::move(in);
  }

  std::unique_ptr<OutputFileStream> Output() {
    auto out = OutputFileStream::Open(*files_, "/out");
    EXPECT_EQ(out.status(), absl::OkStatus());
    tree_.ForgetCalls();
    return *std::move(out);
  }

  MemoryTree tree_;
  const FileSystemPtr files_ = tree_.Open(StoreTables());
};

TEST_F(FileStreamsTest, ReadsWordsNumbersAndLines) {
  const auto in = Input("word 42\nthe line\n\nlast");
  std::string text;
  int number = 0;
  *in >> text >> number;
  EXPECT_EQ(text, "word");
  EXPECT_EQ(number, 42);
  std::getline(*in, text);
  std::getline(*in, text);
  EXPECT_EQ(text, "the line");
  std::getline(*in, text);
  EXPECT_EQ(text, "");
  std::getline(*in, text);
  EXPECT_EQ(text, "last");
  EXPECT_TRUE(in->eof() && !in->fail());
  EXPECT_EQ(in->status(), absl::OkStatus());
}

TEST_F(FileStreamsTest, ReadsALargeFileByItsBuffer) {
  std::string contents(3 * kMebibyte + 5, 'x');
  for (size_t i = 0; i < contents.size(); i += 1000) contents[i] = '\xff';
  const auto in = Input(contents);
  const std::string read{std::istreambuf_iterator<char>(*in), {}};
  EXPECT_TRUE(read == contents);
}

TEST_F(FileStreamsTest, SeeksFromTheBeginningFromHereAndFromTheEnd) {
  const auto in = Input("0123456789");
  char byte = 0;
  EXPECT_EQ(in->tellg(), 0);
  in->seekg(4);
  EXPECT_EQ(in->get(), '4');
  EXPECT_EQ(in->tellg(), 5);
  in->seekg(-2, std::ios::cur);
  EXPECT_EQ(in->get(), '3');
  in->seekg(-1, std::ios::end);
  EXPECT_EQ(in->get(), '9');
  EXPECT_EQ(in->get(), std::char_traits<char>::eof());
  in->clear();
  in->seekg(0, std::ios::end);
  EXPECT_EQ(in->tellg(), 10);
  in->seekg(0);
  in->get(byte);
  EXPECT_EQ(byte, '0');
  in->seekg(-1);
  EXPECT_TRUE(in->fail() && !in->bad());
}

TEST_F(FileStreamsTest, IsBadWhereReadingFailed) {
  const auto in = Input(std::string(kMebibyte, 'x') + "more");
  tree_.fault = Fault{2};
  tree_.fault->op = Op::kRandomAccessFile_read;
  const std::string read{std::istreambuf_iterator<char>(*in), {}};
  EXPECT_EQ(read.size(), kMebibyte);
  EXPECT_TRUE(in->bad());
  EXPECT_EQ(in->status(), absl::UnavailableError("/in: injected (read)"));
}

TEST_F(FileStreamsTest, ThrowsIfItIsAskedTo) {
  const auto in = Input("text");
  tree_.fault = Fault{1};
  in->exceptions(std::ios::badbit);
  EXPECT_THROW(in->get(), std::ios::failure);
  EXPECT_EQ(in->status(), absl::UnavailableError("/in: injected (read)"));
}

TEST_F(FileStreamsTest, FailsToOpenAsTheReaderDoes) {
  EXPECT_EQ(InputFileStream::Open(*files_, "/missing").status(),
            BufferedReader::Open(*files_, "/missing").status());
  EXPECT_EQ(OutputFileStream::Open(*files_, "/").status().code(),
            BufferedWriter::Open(*files_, "/").status().code());
}

TEST_F(FileStreamsTest, WritesTextNumbersAndLargePieces) {
  const auto out = Output();
  const std::string large(kMebibyte, 'x');
  *out << "text " << 42 << '\n' << large << 'y';
  EXPECT_EQ(out->tellp(), 9 + kMebibyte);
  EXPECT_FALSE(tree_.Exists("/out"));
  EXPECT_EQ(out->Close(), absl::OkStatus());
  EXPECT_TRUE(*tree_.Contents("/out") == "text 42\n" + large + "y");
}

TEST_F(FileStreamsTest, ClosesTheFileWhenItGoes) {
  *Output() << "text";
  EXPECT_EQ(*tree_.Contents("/out"), "text");
}

TEST_F(FileStreamsTest, PublishesNothingAtTheEndOfALine) {
  const auto out = Output();
  *out << "line" << std::endl << "another" << std::flush;
  EXPECT_EQ(tree_.calls(Op::kWritableFile_flush), 0);
  EXPECT_FALSE(tree_.Exists("/out"));
}

TEST_F(FileStreamsTest, IsBadAndPublishesNothingWhereWritingFailed) {
  auto out = Output();
  tree_.fault = Fault{1};
  *out << std::string(kMebibyte, 'x');
  tree_.fault.reset();
  EXPECT_TRUE(out->bad());
  const absl::Status error = absl::UnavailableError("/out: injected (append)");
  EXPECT_EQ(out->status(), error);
  *out << "more";
  EXPECT_EQ(out->Close(), error);
  out = nullptr;
  EXPECT_FALSE(tree_.Exists("/out"));
}

TEST_F(FileStreamsTest, IsBadWhereClosingFailed) {
  const auto out = Output();
  *out << "text";
  tree_.fault = Fault{2};
  EXPECT_EQ(out->Close(), absl::UnavailableError("/out: injected (close)"));
  EXPECT_TRUE(out->bad());
}

TEST_F(FileStreamsTest, IsBadIfItIsWrittenToAfterItWasClosed) {
  const auto out = Output();
  *out << "text";
  ASSERT_EQ(out->Close(), absl::OkStatus());
  EXPECT_TRUE(out->good());
  *out << 'x';
  EXPECT_TRUE(out->bad());
  EXPECT_EQ(out->status(), absl::FailedPreconditionError(
                               "/out: the file is already closed (append)"));
  EXPECT_EQ(*tree_.Contents("/out"), "text");
}

TEST_F(FileStreamsTest, PublishesNothingOfABadStream) {
  const auto out = Output();
  *out << "half";
  out->setstate(std::ios::badbit);
  EXPECT_EQ(out->Close(),
            absl::DataLossError("/out: writing to the stream failed before; "
                                "the file is incomplete (close)"));
  EXPECT_FALSE(tree_.Exists("/out"));
}

TEST_F(FileStreamsTest, PublishesNothingWhileAnExceptionUnwindsTheStack) {
  try {
    const auto out = Output();
    *out << "half";
    throw std::runtime_error("the other half is missing");
  } catch (const std::runtime_error&) {
  }
  EXPECT_FALSE(tree_.Exists("/out"));
}

TEST_F(FileStreamsTest, PublishesNothingThatIsDiscarded) {
  auto out = Output();
  *out << "text";
  out->Discard();
  out = nullptr;
  EXPECT_FALSE(tree_.Exists("/out"));
}

TEST_F(FileStreamsTest, GoesOnWhereItFailedOnceItIsSoughtThere) {
  const auto in = Input("text");
  tree_.fault = Fault{1};
  EXPECT_EQ(in->get(), std::char_traits<char>::eof());
  EXPECT_TRUE(in->bad());
  in->clear();
  in->seekg(0);
  EXPECT_EQ(in->get(), 't');
  EXPECT_EQ(in->status(), absl::OkStatus());
}

TEST_F(FileStreamsTest, ReadsWhatTheFileHasGrownByOnceItIsSoughtThere) {
  tree_.deviations.commits_on_close = false;
  const auto in = Input("text");
  const std::string read{std::istreambuf_iterator<char>(*in), {}};
  EXPECT_EQ(read, "text");
  *tree_.Contents("/in") += " and more";
  in->clear();
  in->seekg(in->tellg());
  const std::string more{std::istreambuf_iterator<char>(*in), {}};
  EXPECT_EQ(more, " and more");
}

}  // namespace
}  // namespace fsload
