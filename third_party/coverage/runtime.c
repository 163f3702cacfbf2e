/* In place of an object of clang's library, which defines this too. */
int __llvm_profile_runtime;

void __llvm_profile_initialize_file(void);

__attribute__((constructor)) static void OpenCounters(void) {
  __llvm_profile_initialize_file();
}
