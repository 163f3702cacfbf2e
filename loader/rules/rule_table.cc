#include "fsload/rules.h"

namespace fsload {
namespace {

constexpr Severity kMust = Severity::kMust;
constexpr Severity kShould = Severity::kShould;
constexpr Severity kNote = Severity::kNote;

constexpr std::string_view kOtherBuild =
    "Install the plugin's build for this processor; wheels have the processor "
    "in their name.";

constexpr Rule kRules[] = {
    {RuleId::kFileExists, kMust, "the file exists", "",
     "There is nothing to load.",
     "Check the path; relative paths start at the current directory."},
    {RuleId::kRegularFile, kMust, "the file is a regular file", "",
     "A directory, a pipe or a device has no contents that could be checked "
     "and then loaded unchanged.",
     "Name the shared object itself."},
    {RuleId::kFileSize, kMust, "the file is at most 2 GiB", "",
     "The copy stays in memory until the process ends; no plugin is that "
     "large.",
     "Check that the file is a plugin; strip its debug information."},
    {RuleId::kElf, kMust, "the file is an ELF file", "",
     "The dynamic linker opens ELF files only.",
     "Name the shared object, not an archive, a script or a wheel that "
     "contains it."},
    {RuleId::kWellFormed, kMust, "the ELF file is well-formed", "",
     "The dynamic linker trusts the file's headers and crashes if they are "
     "wrong, so a damaged file is refused first.",
     "Copy or download the file again; it is damaged."},
    {RuleId::kElfClass, kMust, "the ELF file is 64-bit", "",
     "Code of another word size cannot run in this process.", kOtherBuild},
    {RuleId::kMachine, kMust, "the ELF file is for this machine", "",
     "Code for another processor cannot run in this process.", kOtherBuild},
    {RuleId::kSharedObject, kMust, "the ELF file is a shared object", "",
     "An executable or an object file cannot be added to a running "
     "process.",
     "Link the plugin with -shared."},
    {RuleId::kEntryPoint, kMust, "the plugin exports TF_InitPlugin", "L1119",
     "TF_InitPlugin is the function through which a host gets a plugin's "
     "tables.",
     "Declare it extern \"C\" with default visibility, and keep it out of "
     "the local: section of a version script; other shared objects in a "
     "wheel are not plugins."},
    {RuleId::kEntryGeneration, kMust,
     "TF_InitPlugin is of TensorFlow 2.2 or later", "L1119",
     "Plugins for TensorFlow 2.1 have an entry point of the same name with "
     "a different signature: calling it would corrupt memory.",
     "Build the plugin against a "
     "tensorflow/c/experimental/filesystem/filesystem_interface.h whose "
     "TF_FilesystemPluginInfo has 32 bytes: that of TensorFlow 2.2 or later."},
    {RuleId::kFrameworkVersions, kMust,
     "the plugin needs no symbol versions of the framework library", "",
     "fsload takes the place of that library and has no symbol versions; "
     "the dynamic linker aborts the process if it cannot find one.",
     "Link against a framework library without a version script, as "
     "TensorFlow's own is."},
    {RuleId::kRoomForImports, kMust,
     "the plugin names the framework library, or has space to name it", "",
     "The plugin finds its host's functions in a library that it names; "
     "fsload writes that name into its copy of the plugin.",
     "Link with -ltensorflow_framework, or with -Wl,--spare-dynamic-tags=4."},
    {RuleId::kDynamicLinking, kMust, "the dynamic linker can open the plugin",
     "",
     "If the dynamic linker cannot open the plugin, there is no code to "
     "call.",
     "Follow its message; ldd and LD_DEBUG=libs,symbols show more."},
    {RuleId::kStatusProvider, kMust,
     "one library provides all TF_Status functions", "",
     "Every call passes a TF_Status that the plugin's TF_SetStatus must "
     "understand, so one library has to provide all of its functions.",
     "Import all TF_ functions instead of defining some in the plugin."},
    {RuleId::kPrivateCopy, kMust, "the system lets the file be copied", "",
     "The bytes that were checked must be the bytes that run, so they are "
     "copied where nobody can change them.",
     "Allow memfd_create and file seals (a seccomp profile may forbid "
     "them), and leave enough memory; or load in place."},
    {RuleId::kNeededLibraries, kMust, "the needed libraries are found", "",
     "The dynamic linker opens a plugin together with all libraries that "
     "it needs.",
     "Install them, or add their directory to the plugin's RUNPATH or to "
     "LD_LIBRARY_PATH."},
    {RuleId::kHostFunctions, kMust,
     "the host provides the C functions that the plugin calls", "",
     "A plugin that imports a host function that this host lacks cannot be "
     "opened.",
     "Use a version of the plugin that imports only the TensorFlow C API "
     "functions that fsload provides."},
    {RuleId::kTensorFlowSymbols, kMust,
     "the plugin needs no TensorFlow C++ symbols", "",
     "TensorFlow's C++ symbols change with each release, and no other host "
     "has them.",
     "Use it as it is: commands load it, and only operations that call such a "
     "function fail. Its author: build it against TensorFlow's C API only."},
    {RuleId::kOtherSymbols, kMust, "all other symbols are defined", "",
     "The dynamic linker refuses a library with undefined symbols.",
     "Use another release of the plugin. Its author: link it with the "
     "libraries that define them; linking with -z defs reports them."},
    {RuleId::kGlibcVersion, kMust, "the system's glibc is new enough", "",
     "The plugin was built on a newer system: this one's C library lacks "
     "functions that it needs.",
     "Build it on the oldest system that it must run on, or use a newer "
     "system."},
    {RuleId::kLibstdcxxVersion, kMust, "the system's libstdc++ is new enough",
     "",
     "The plugin was built by a newer compiler: functions that it needs are "
     "not in this system's C++ library.",
     "Build it with an older compiler, or install a newer libstdc++."},
    {RuleId::kOtherVersions, kMust,
     "other libraries have the symbol versions that the plugin needs", "",
     "A library is installed, but in an older version than the plugin was "
     "built with.",
     "Install a newer version of the library."},
    {RuleId::kVersionsSomewhere, kMust,
     "the plugin needs symbol versions only from versioned libraries", "",
     "The dynamic linker aborts the process if a plugin needs a symbol version "
     "of a library that has no symbol versions.",
     "Use the library that the plugin was linked with, or relink the plugin "
     "with this system's library."},
    {RuleId::kCodeNotWritten, kShould, "the plugin has no text relocations", "",
     "Code that the dynamic linker has to patch cannot be shared between "
     "processes, and some systems forbid it.",
     "Compile everything in the plugin with -fPIC."},
    {RuleId::kStackNotExecutable, kShould,
     "the plugin needs no executable stack", "",
     "The dynamic linker makes the stacks of the whole process executable "
     "for it, which helps attackers; some systems forbid it.",
     "Link with -z noexecstack; assembly files need a .note.GNU-stack "
     "section."},
    {RuleId::kTlsOnDemand, kShould, "the plugin needs no static TLS", "",
     "Static thread-local storage is taken from a small reserve: when it runs "
     "out, dlopen fails with \"cannot load any more object with static "
     "TLS\".",
     "Compile without -ftls-model=initial-exec."},
    {RuleId::kEntryUnmangled, kMust, "TF_InitPlugin is extern \"C\"", "L1119",
     "A C++ compiler gives a function another name unless it is extern "
     "\"C\", and a host looks for the plain one.",
     "Declare TF_InitPlugin extern \"C\", or include the interface's "
     "header before it is defined."},
    {RuleId::kEntryVisible, kMust, "TF_InitPlugin is neither local nor hidden",
     "L1119",
     "The dynamic linker does not find symbols that are local or hidden.",
     "Give TF_InitPlugin default visibility, and keep it out of the local:"
     " part of a version script."},
    {RuleId::kEntryIsFunction, kMust, "TF_InitPlugin is a function", "L1119",
     "Calling data crashes the process.",
     "Define TF_InitPlugin as a function."},
    {RuleId::kFileNotWorldWritable, kMust, "the file is not world-writable", "",
     "Anyone who can write to the file decides what code runs in the host.",
     "Run chmod o-w on the file."},
    {RuleId::kFolderNotWorldWritable, kMust,
     "the file's directories are not world-writable", "",
     "Anyone who can write to the directory can replace the plugin. A sticky "
     "directory is fine if the file is yours or root's.",
     "Move the plugin to a directory that only its owner can write to, or run "
     "chmod o-w on the directory."},
    {RuleId::kAllowed, kMust, "the file is on the allow list", "",
     "The host asked for an allow list: what is not on it is not loaded.",
     "Add the file's SHA-256 (sha256sum prints it) to the list, if you "
     "trust the file."},
    {RuleId::kAllowListReadable, kMust, "the allow list is readable and valid",
     "", "A list that cannot be read, parsed or trusted allows nothing.",
     "Check the path; each line is a SHA-256 as sha256sum prints it."},
    {RuleId::kReadable, kMust, "the file can be opened and read", "",
     "A plugin is loaded from a copy of its bytes, so they must be "
     "readable by the user who loads it.",
     "Check the permissions of the file and of the directories above it, and "
     "the user who runs the host."},
    {RuleId::kWhole, kMust, "the ELF file is not truncated", "",
     "Some of the contents that its headers describe lie past its end.",
     "Copy or download the file again; it is truncated."},
    {RuleId::kByteOrder, kMust, "the ELF file is little-endian", "",
     "Code for another byte order cannot run in this process.", kOtherBuild},
    {RuleId::kWithinLimits, kMust,
     "the file can be checked within fsload's limits", "",
     "fsload stops reading a file that declares more libraries, symbols or "
     "sections than any real plugin.",
     "Check that the path is that of a plugin."},
    {RuleId::kNoStubs, kShould, "no imported function is missing", "",
     "No library defines a function that the plugin calls. The host chose to "
     "load it anyway: an operation that calls the function fails with "
     "UNIMPLEMENTED; all others work.",
     "Use a version of the plugin that calls only functions of TensorFlow's C "
     "API, or link the missing ones into it."},
    {RuleId::kSystem, kMust, "the ELF file is for this operating system", "",
     "It was built for another system's kernel and C library.",
     "Use the build for Linux."},
    {RuleId::kCacheUsable, kMust, "the cache can be used", "",
     "A wheel's plugins are unpacked to a directory of the cache, which only "
     "its owner may change, because code is loaded from it.",
     "Follow the message, or set XDG_CACHE_HOME to another directory."},
    {RuleId::kWheelHasPlugin, kMust, "the wheel has a plugin in it", "L1119",
     "A plugin is a shared object that exports TF_InitPlugin; a wheel without "
     "one has nothing to load.",
     "Check that it is the right wheel, and the one for this machine."},
    {RuleId::kWheelWithinLimits, kMust, "the wheel has a plausible size", "",
     "A wheel that expands far more than any real one could fill the disk.",
     "Check that it is the right wheel."},
    {RuleId::kWheelWellFormed, kMust, "the wheel is well-formed", "",
     "A wheel is a zip file whose entries are unique and stay inside its "
     "directory.",
     "Download the wheel again; it is damaged or malicious."},

    {RuleId::kEntryReturns, kMust, "TF_InitPlugin returns", "L1102",
     "Until TF_InitPlugin has returned, the plugin's schemes are unknown.",
     "Catch exceptions in TF_InitPlugin; report errors from init, which has "
     "a status."},
    {RuleId::kHasSchemes, kMust, "the plugin registers a scheme", "L1112",
     "A plugin without a scheme gives a host nothing to call.",
     "Set num_schemes and ops in TF_InitPlugin."},
    {RuleId::kFewSchemes, kMust, "the number of schemes is plausible", "L1057",
     "A number this large comes from an uninitialised field.",
     "Set num_schemes to the number of entries in ops."},
    {RuleId::kOpsArray, kMust, "the ops array can be read", "L1057",
     "The host reads num_schemes entries from ops; memory that is not "
     "there would crash it.",
     "Allocate num_schemes entries of TF_FilesystemPluginOps with "
     "plugin_memory_allocate."},
    {RuleId::kSchemeString, kMust, "the scheme is a string", "L1022",
     "The scheme is the key under which the file system is registered.",
     "Set scheme to a null-terminated string of at most 63 bytes."},
    {RuleId::kSchemeGrammar, kMust, "the scheme is valid in a URI", "L1020",
     "A URI scheme is a letter followed by letters, digits or dots: no URI "
     "could select any other.",
     "Use the scheme exactly as it appears in URIs."},
    {RuleId::kSchemeOnce, kMust, "a scheme is registered once", "L1112",
     "With two entries for one scheme, a host cannot tell which tables to "
     "use.",
     "Fill in one entry per scheme."},
    {RuleId::kSchemeFree, kMust, "the scheme is not taken", "L1107",
     "A scheme is served by one file system, so that a URI means one file.",
     "Retire the other plugin's scheme first, or load only one of the two."},
    {RuleId::kFilesystemTable, kMust, "each scheme has a TF_FilesystemOps",
     "L326", "Without its table a file system cannot be called.",
     "Set filesystem_ops of each entry."},
    {RuleId::kTableReadable, kMust, "the table can be read as far as declared",
     "L1029",
     "The host copies a table's declared bytes; unmapped memory "
     "would crash it.",
     "Keep each table allocated, in its declared size, until TF_InitPlugin "
     "has returned."},
    {RuleId::kTableHoldsRequired, kMust,
     "the table is large enough for its required operations", "L130",
     "A table that ends before its required operations lacks them.",
     "Call TF_SetFilesystemVersionMetadata on each entry: it sets the "
     "sizes."},
    {RuleId::kTableOfPointers, kMust,
     "the table's size is a multiple of a pointer's", "L933",
     "A table consists of pointers only, so no other size is possible.",
     "Call TF_SetFilesystemVersionMetadata on each entry: it sets the "
     "sizes."},
    {RuleId::kTableKnown, kNote, "the table is no newer than fsload", "L194",
     "The plugin was built for a newer interface; operations that this "
     "host does not know are not called.",
     "Nothing to do; a newer fsload may support these operations."},
    {RuleId::kTableHasSize, kMust, "a table that is set has a size", "L1112",
     "A size is how a host knows which operations a table has.",
     "Call TF_SetFilesystemVersionMetadata on each entry: it sets the "
     "sizes."},
    {RuleId::kAbi, kMust, "the table's ABI number is the host's", "L954-L960",
     "A different ABI number means that the functions have different "
     "parameters.",
     "Build the plugin against the interface that this host has."},
    {RuleId::kApi, kShould, "the table's API number is the host's", "L943-L952",
     "A different API number means that operations were added or changed "
     "their meaning; those present can be called.",
     "Build the plugin against the interface that this host has."},
    {RuleId::kOpIsCode, kMust, "an operation is executable code", "L205-L925",
     "A call through a pointer to data ends the process.",
     "Set the operation to a function, or to null where the default will "
     "do; initialise the whole table."},
    {RuleId::kRequiredOp, kMust, "required operations are set", "L130",
     "An object cannot be used without its required operations, which have "
     "no default.",
     "Set the operation."},
    {RuleId::kConditionalTable, kMust,
     "the table for each kind of file that the plugin opens is set",
     "L358-L415", "Without the table, files could be opened but not used.",
     "Set the table of the file's operations, or leave the opening "
     "operation null."},
    {RuleId::kHooksSet, kMust, "both allocator hooks are set", "L1116",
     "The host frees the plugin's memory with the plugin's own hook.",
     "Set plugin_memory_allocate and plugin_memory_free in TF_InitPlugin."},
    {RuleId::kHooksTogether, kMust, "the allocator hooks are replaced together",
     "L1116", "Freeing one allocator's memory with another corrupts both.",
     "Set both hooks, to functions of one allocator."},
    {RuleId::kHooksAreCode, kMust, "the allocator hooks are executable code",
     "L1074", "A call through a pointer to data ends the process.",
     "Set both hooks to functions."},
    {RuleId::kHooksReplaced, kShould, "the plugin sets its own hooks", "L1116",
     "Hosts need not offer hooks of their own: TensorFlow passes null.",
     "Set plugin_memory_allocate and plugin_memory_free in TF_InitPlugin."},
    {RuleId::kMemoryAllocated, kShould,
     "memory passed to the host comes from plugin_memory_allocate", "L1029",
     "The host frees names, tables and the ops array with the plugin's "
     "hook (fsload looks first; TensorFlow does not).",
     "Allocate each name, table and array separately with "
     "plugin_memory_allocate."},
    {RuleId::kMappingsKnown, kMust, "this process can read its memory map", "",
     "fsload reads the process's memory map to tell whether a pointer points "
     "to code.",
     "Mount /proc in the container."},
    {RuleId::kSealed, kMust, "the tables can be sealed", "L144",
     "Tables that could change later could be made to call anything.",
     "Leave enough memory for the process, and allow mmap and mprotect."},

    {RuleId::kTableSizeSane, kMust, "the table's size is plausible", "L194",
     "A size this large comes from an uninitialised field.",
     "Call TF_SetFilesystemVersionMetadata on each entry: it sets the "
     "sizes."},
    {RuleId::kHooksWork, kMust, "the allocator hooks allocate and free",
     "L1074",
     "Strings and lists are passed in memory from these hooks; perhaps the two "
     "are swapped.",
     "Set plugin_memory_allocate to an allocating function, like calloc, and "
     "plugin_memory_free to its counterpart, like free; neither may throw."},

    {RuleId::kInitSucceeds, kMust, "init succeeds", "L324",
     "A file system whose init failed must not be called.",
     "Follow the plugin's message; often a credential, a server or a variable "
     "is missing."},
    {RuleId::kNoFatalSignal, kMust, "no signal ends the process", "",
     "A plugin runs in its host's process: what kills one kills both.",
     "Look at the function that the message names, in a debugger with "
     "--no-isolation."},
    {RuleId::kKeepsToItsStack, kMust, "the stack does not overflow", "",
     "A plugin runs on its host's threads, whose stacks are as large as "
     "the host made them.",
     "Put large objects on the heap, and bound recursion."},
    {RuleId::kLeavesProcessRunning, kMust,
     "the plugin does not end the process", "",
     "A host that calls a plugin expects the call to return, whatever the "
     "outcome.",
     "Report errors in the status, from init on, instead of calling exit or "
     "_exit."},
    {RuleId::kLeavesThreadRunning, kMust,
     "the plugin does not end its host's thread", "",
     "The thread that calls a plugin is the host's, and holds the host's "
     "locks.",
     "Return, instead of calling pthread_exit, and cancel no threads but "
     "your own."},
    {RuleId::kComesToAnEnd, kMust, "the plugin does not hang", "",
     "A host waits for each call and cannot cancel it.",
     "Set a timeout when waiting for a server, a lock or a thread; "
     "--timeout sets the time that a check allows."},
    {RuleId::kThrowsNothing, kMust, "static initialisers throw nothing", "",
     "They run while the dynamic linker opens the plugin, and an exception"
     " cannot pass through it unharmed.",
     "Catch what they throw, or do the work in TF_InitPlugin."},
    {RuleId::kLeavesNoProcesses, kMust, "the plugin leaves no processes behind",
     "", "Processes that a plugin starts and does not end outlive its host.",
     "End them and wait for them, in cleanup at the latest."},
    {RuleId::kKeepsDescriptors, kMust,
     "the plugin leaves its host's descriptors open", "",
     "The number of a closed descriptor is used again for the next file: the "
     "host then writes to the wrong file.",
     "Close only what the plugin opened, and each once."},
    {RuleId::kKeepsSignalHandlers, kMust,
     "the plugin leaves its host's signal handlers alone", "",
     "A process has one handler per signal, so the host's is lost.",
     "Install none; libraries that install handlers often have an option to "
     "turn this off."},
    {RuleId::kTakesLittleMemory, kMust, "the plugin loads in bounded memory",
     "", "Memory that a plugin uses is not available to its host.",
     "Allocate caches on first use, and limit their size."},
    {RuleId::kPrintsLittle, kMust, "the plugin prints little while it loads",
     "",
     "Standard output and standard error belong to the host: a pipeline reads "
     "one, a log keeps the other.",
     "Print nothing; report errors in the status, and details with TF_VLog."},
    {RuleId::kNeedsNoRefusedCalls, kNote,
     "the plugin makes no system call that a check refuses", "",
     "A check confines the plugin: a call refused here may work in a host, "
     "and the check cannot tell what happens then.",
     "Check the plugin with --network where it needs a server, or with "
     "--no-isolation where you trust it."},
    {RuleId::kKeepsWorkingDirectory, kMust,
     "the plugin leaves the working directory alone", "",
     "The whole process shares it: the host's relative paths start there.",
     "Use absolute paths, or openat."},
    {RuleId::kKeepsUmask, kMust, "the plugin leaves the umask alone", "",
     "The whole process shares it: the host's files would get other modes.",
     "Set file modes with fchmod."},
    {RuleId::kKeepsSignalMask, kMust, "the plugin leaves the signal mask alone",
     "",
     "The thread that calls a plugin is the host's, and so is its signal mask.",
     "Restore the mask that pthread_sigmask returned."},
    {RuleId::kKeepsEnvironment, kShould,
     "the plugin leaves the environment alone", "",
     "Other libraries read it, and threads that do so while it is changed may "
     "crash.",
     "Pass settings as arguments, not through setenv."},
    {RuleId::kKeepsUser, kMust, "the plugin leaves user and group alone", "",
     "The host decides which privileges the process has.",
     "Change users in a separate process."},
    {RuleId::kKeepsFloatingPoint, kShould,
     "the plugin leaves the floating-point mode alone", "",
     "The host's threads compute different results: numbers near zero become "
     "zero, or rounding changes.",
     "Link without -ffast-math and -Ofast, which set it in a static "
     "initialiser; otherwise restore what fegetenv returned."},
    {RuleId::kKeepsTimers, kMust,
     "the plugin sets no process-wide timers (setitimer, alarm)", "",
     "A process has one timer of each kind, and its signal ends a host that "
     "does not handle it.",
     "Use timer_create with a thread of the plugin's own, or timerfd_create."},
    {RuleId::kKeepsTerminateHandler, kShould,
     "the plugin leaves the terminate handler alone", "",
     "A process has only one; replacing it loses the host's, which reports "
     "why the process ended.",
     "Catch exceptions where they are thrown."},
    {RuleId::kLeavesDescriptors, kMust,
     "the plugin leaves descriptors for its host", "",
     "The number of open files per process is limited; if a plugin uses it up, "
     "the host can open none.",
     "Close unused files, and open files only when needed."},
    {RuleId::kCleanupThrowsNothing, kMust, "cleanup throws nothing", "L343",
     "cleanup has no status, and is called where exceptions are not allowed: "
     "other hosts terminate.",
     "Catch exceptions inside cleanup."},
    {RuleId::kReportArrives, kMust, "the report on the plugin is complete", "",
     "A plugin is verified only by a report that is complete and agrees with "
     "itself; what runs in the plugin's process may have written over it.",
     "Look for memory corruption, for example with AddressSanitizer."},
};

}  // namespace

absl::Span<const Rule> AllRules() { return kRules; }

}  // namespace fsload
