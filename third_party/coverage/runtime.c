/* In place of objects of clang's library, which define these too. */
int __llvm_profile_runtime;
/* Also where a test starts a program without an environment (.ci/coverage). */
char __llvm_profile_filename[] = "/tmp/fsload-coverage/%c%m.profraw";

void __llvm_profile_initialize_file(void);

__attribute__((constructor)) static void OpenCounters(void) {
  __llvm_profile_initialize_file();
}
