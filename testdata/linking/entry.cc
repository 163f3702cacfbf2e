// A TF_InitPlugin that no host can call: a C++ name, hidden, local or data.
struct TF_FilesystemPluginInfo;

#define VISIBLE __attribute__((visibility("default")))

#if defined(ENTRY_MANGLED)
VISIBLE void TF_InitPlugin(TF_FilesystemPluginInfo*) {}
#elif defined(ENTRY_HIDDEN)
#define HIDDEN __attribute__((visibility("hidden")))
extern "C" HIDDEN void TF_InitPlugin(TF_FilesystemPluginInfo*) {}
#elif defined(ENTRY_LOCAL)
extern "C" VISIBLE void TF_InitPlugin(TF_FilesystemPluginInfo*) {}
#elif defined(ENTRY_DATA)
extern "C" {
VISIBLE int TF_InitPlugin = 1;
}
#endif

// Something to export.
extern "C" VISIBLE int FsloadTestExported() { return 1; }
