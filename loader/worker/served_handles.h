// The arguments of a served call that are objects of the plugin: transactions
// and open files, which the host knows by numbers.
#pragma once

#include <cstdint>
#include <memory>

#include "loader/worker/served_arguments.h"

namespace fsload {

template <>
struct Held<TF_TransactionToken*> {
  Held(ServedCall& served, const SchemeTables&)
      : call(served),
        number(call.arguments.Number()),
        token(call.objects.tokens.Find(number)) {
    // The plugin shall say that it does not know it.
    if (token == nullptr) token = &unknown;
  }
  TF_TransactionToken* get(TF_Status*) {
    // The plugin may give the same token to a transaction that begins before
    // this call has returned.
    if (Ends()) call.objects.tokens.Forget(number);
    return token;
  }
  void Write(ServedCall&) {
    const bool is_left = Ends() && !IsOk(call) && token != &unknown;
    if (is_left) call.objects.tokens.Remember(number, token);
  }
  bool Ends() const {
    return call.request.op ==
           static_cast<uint32_t>(Op::kFilesystem_end_transaction);
  }
  ServedCall& call;
  const uint64_t number;
  TF_TransactionToken unknown = {&unknown, nullptr};
  TF_TransactionToken* token;
};

template <>
struct Held<const TF_TransactionToken*> : Held<TF_TransactionToken*> {
  using Held<TF_TransactionToken*>::Held;
};

template <>
struct Held<TF_TransactionToken**> {
  Held(ServedCall&, const SchemeTables&) {}
  TF_TransactionToken** get(TF_Status*) { return &token; }
  void Write(ServedCall& call) {
    if (!IsOk(call)) return;
    call.fields.Number(call.objects.tokens.NumberOf(token));
    call.fields.Number(token != nullptr && token->owner != nullptr ? 1 : 0);
  }
  TF_TransactionToken* token = nullptr;
};

template <typename Wrapper>
struct HeldFile {
  HeldFile(ServedCall&, const SchemeTables&) {}
  Wrapper* get(TF_Status*) { return &wrapper; }
  uint64_t Add(ServedCall& call, Table table) {
    auto& [pointer] = wrapper;
    return call.objects.files.Add(std::make_shared<OpenFile>(OpenFile{
        call.objects.FileSystemAt(call.request.scheme), table, pointer}));
  }
  Wrapper wrapper = {};
};

template <>
struct Held<TF_RandomAccessFile*> : HeldFile<TF_RandomAccessFile> {
  using HeldFile::HeldFile;
  void Write(ServedCall& call) {
    if (IsOk(call)) call.fields.Number(Add(call, Table::kRandomAccessFile));
  }
};

template <>
struct Held<TF_WritableFile*> : HeldFile<TF_WritableFile> {
  using HeldFile::HeldFile;
  void Write(ServedCall& call) {
    if (IsOk(call)) call.fields.Number(Add(call, Table::kWritableFile));
  }
};

// Of a memory region, its length and whether it has data follow.
template <>
struct Held<TF_ReadOnlyMemoryRegion*> : HeldFile<TF_ReadOnlyMemoryRegion> {
  Held(ServedCall& call, const SchemeTables& of)
      : HeldFile(call, of), tables(of) {}
  void Write(ServedCall& call) {
    if (!IsOk(call)) return;
    const TF_ReadOnlyMemoryRegionOps& ops = tables.read_only_memory_region;
    uint64_t length = 0;
    const void* data = nullptr;
    CallInto(call, tables, [&](TF_Status*) {
      length = ops.length(&wrapper);
      data = ops.data(&wrapper);
    });
    if (!IsOk(call)) return;
    call.fields.Number(Add(call, Table::kReadOnlyMemoryRegion));
    call.fields.Number(length);
    call.fields.Number(data == nullptr ? 0 : 1);
  }
  const SchemeTables& tables;
};

}  // namespace fsload
