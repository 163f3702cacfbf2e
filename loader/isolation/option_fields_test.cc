#include "loader/isolation/option_fields.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fsload {
namespace {

std::set<void*> allocated;

void* Allocate(size_t bytes) {
  return *allocated.insert(std::malloc(bytes)).first;
}

// With these all memory of a test is freed, and none twice.
const MemoryHooks kHooks = {&Allocate, nullptr};

void FreeAll() {
  for (void* const each : allocated) std::free(each);
  allocated.clear();
}

char name[] = "name";
char bytes[] = {'a', '\0', 'b'};

struct Option {
  Option(int type, std::vector<TF_Filesystem_Option_Value_Union> given)
      : values(std::move(given)) {
    value.type_tag = type;
    value.num_values = static_cast<int>(values.size());
    value.values = values.data();
    option.name = name;
    option.per_file = 1;
    option.value = &value;
  }

  std::vector<TF_Filesystem_Option_Value_Union> values;
  TF_Filesystem_Option_Value value = {};
  TF_Filesystem_Option option = {};
};

TF_Filesystem_Option_Value_Union Number(int64_t number) {
  TF_Filesystem_Option_Value_Union value = {};
  value.int_val = number;
  return value;
}

TF_Filesystem_Option_Value_Union Buffer(char* data, int length) {
  TF_Filesystem_Option_Value_Union value = {};
  value.buffer_val.buf = data;
  value.buffer_val.buf_length = length;
  return value;
}

std::string FieldsOf(const TF_Filesystem_Option& option) {
  FieldWriter fields;
  PutOption(option, fields);
  return fields.Release();
}

TF_Filesystem_Option Taken(std::string_view text) {
  FieldReader fields(text);
  TF_Filesystem_Option option = {};
  TakeOption(fields, kHooks, option);
  return option;
}

TEST(OptionFieldsTest, KeepNumbers) {
  const Option given(TF_Filesystem_Option_Type_Int, {Number(1), Number(-2)});
  const TF_Filesystem_Option taken = Taken(FieldsOf(given.option));
  EXPECT_STREQ(taken.name, "name");
  EXPECT_EQ(taken.description, nullptr);
  EXPECT_EQ(taken.per_file, 1);
  ASSERT_EQ(taken.value->num_values, 2);
  EXPECT_EQ(taken.value->values[0].int_val, 1);
  EXPECT_EQ(taken.value->values[1].int_val, -2);
  FreeAll();
}

TEST(OptionFieldsTest, KeepBuffers) {
  const Option given(TF_Filesystem_Option_Type_Buffer,
                     {Buffer(bytes, 3), Buffer(nullptr, 5), Buffer(bytes, 0)});
  const TF_Filesystem_Option taken = Taken(FieldsOf(given.option));
  ASSERT_EQ(taken.value->num_values, 3);
  const TF_Filesystem_Option_Value_Union* const values = taken.value->values;
  ASSERT_EQ(values[0].buffer_val.buf_length, 3);
  EXPECT_EQ(std::memcmp(values[0].buffer_val.buf, bytes, 3), 0);
  EXPECT_EQ(values[1].buffer_val.buf, nullptr);
  EXPECT_EQ(values[2].buffer_val.buf_length, 0);
  FreeAll();
}

TEST(OptionFieldsTest, KeepMistakes) {
  TF_Filesystem_Option empty = {};
  EXPECT_EQ(Taken(FieldsOf(empty)).value, nullptr);
  Option no_type(9, {Number(1)});
  const TF_Filesystem_Option taken = Taken(FieldsOf(no_type.option));
  EXPECT_EQ(taken.value->type_tag, 9);
  EXPECT_EQ(taken.value->num_values, 1);
  Option negative(TF_Filesystem_Option_Type_Int, {});
  negative.value.num_values = -1;
  EXPECT_EQ(Taken(FieldsOf(negative.option)).value->num_values, -1);
  FreeAll();
}

// Frees all that a reader of `option` frees.
void Free(const TF_Filesystem_Option& option) {
  const auto release = [](void* memory) {
    allocated.erase(memory);
    std::free(memory);
  };
  release(option.name);
  release(option.description);
  if (option.value == nullptr) return;
  const TF_Filesystem_Option_Value& value = *option.value;
  for (int i = 0; value.values != nullptr && i < value.num_values &&
                  value.type_tag == TF_Filesystem_Option_Type_Buffer;
       ++i) {
    release(value.values[i].buffer_val.buf);
  }
  release(value.values);
  release(option.value);
}

// Reads all that a reader of `option` may read.
void Read(const TF_Filesystem_Option& option) {
  std::string read = option.name == nullptr ? "" : option.name;
  if (option.description != nullptr) read += option.description;
  if (option.value == nullptr || option.value->values == nullptr ||
      option.value->type_tag < 0 ||
      option.value->type_tag >= TF_Filesystem_Num_Option_Types) {
    return;
  }
  for (int i = 0; i < option.value->num_values; ++i) {
    const TF_Filesystem_Option_Value_Union& value = option.value->values[i];
    if (option.value->type_tag != TF_Filesystem_Option_Type_Buffer) {
      read += std::to_string(value.int_val);
    } else if (value.buffer_val.buf != nullptr &&
               value.buffer_val.buf_length > 0) {
      read.append(value.buffer_val.buf, value.buffer_val.buf_length);
    }
  }
}

TEST(OptionFieldsTest, AreNoMoreThanWasSent) {
  const Option numbers(TF_Filesystem_Option_Type_Int, {Number(1), Number(2)});
  const Option buffers(TF_Filesystem_Option_Type_Buffer,
                       {Buffer(bytes, 3), Buffer(bytes, 2)});
  for (const Option* const each : {&numbers, &buffers}) {
    const std::string whole = FieldsOf(each->option);
    for (size_t i = 0; i < whole.size(); ++i) {
      std::vector<std::string> sent = {whole.substr(0, i)};
      for (const char byte : {'\0', '\1', '\x7f', '\xff'}) {
        sent.push_back(whole);
        sent.back()[i] = byte;
      }
      for (const std::string& each : sent) {
        const TF_Filesystem_Option option = Taken(each);
        Read(option);
        Free(option);
        ASSERT_EQ(allocated.size(), 0) << "byte " << i;
      }
    }
  }
}

}  // namespace
}  // namespace fsload
