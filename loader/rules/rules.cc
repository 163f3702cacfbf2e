#include "fsload/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

namespace fsload {
namespace {

constexpr Severity kMust = Severity::kMust;
constexpr Severity kShould = Severity::kShould;
constexpr Severity kNote = Severity::kNote;

constexpr Rule kRules[] = {
    {RuleId::kFileExists, kMust, "the file exists", "",
     "There is nothing to load.",
     "Check the path; relative ones begin at the folder that the command "
     "was called in."},
    {RuleId::kRegularFile, kMust, "the file is a regular file", "",
     "A folder, a pipe or a device has no contents that could be checked "
     "and then loaded unchanged.",
     "Name the shared object itself."},
    {RuleId::kFileSize, kMust, "the file has at most 2 GiB", "",
     "The copy lives in memory for as long as the process; no plugin is "
     "that large.",
     "Check that the path is that of a plugin; strip its debug "
     "information."},
    {RuleId::kElf, kMust, "the file is an ELF file", "",
     "The dynamic linker opens ELF files only.",
     "Name the shared object, not an archive, a script or a wheel that "
     "contains it."},
    {RuleId::kWellFormed, kMust, "the ELF file is well-formed", "",
     "The dynamic linker trusts what a file says of itself and crashes "
     "where that is wrong, so a damaged file is refused before.",
     "Copy or download the file again; it is damaged."},
    {RuleId::kElfClass, kMust, "the ELF file is 64-bit", "",
     "Code of another word size cannot run in this process.",
     "Use a build for 64-bit machines."},
    {RuleId::kMachine, kMust, "the ELF file is for this machine", "",
     "Code for another processor cannot run in this process.",
     "Use the build for this processor; wheels have it in their name."},
    {RuleId::kSharedObject, kMust, "the ELF file is a shared object", "",
     "An executable or an object file cannot be added to a running "
     "process.",
     "Link the plugin with -shared."},
    {RuleId::kEntryPoint, kMust, "the plugin exports TF_InitPlugin", "L1119",
     "TF_InitPlugin is the one function by which a host asks a plugin for "
     "its tables.",
     "Declare it extern \"C\" with default visibility, and keep it out of "
     "the local: part of a version script; a wheel has shared objects "
     "besides its plugin, which are none."},
    {RuleId::kEntryGeneration, kMust,
     "TF_InitPlugin is of TensorFlow 2.2 or later", "L1119",
     "Plugins of TensorFlow 2.1 have an entry of the same name and another"
     " shape: a call would write over memory.",
     "Build the plugin against a header of TensorFlow 2.2 or later."},
    {RuleId::kFrameworkVersions, kMust,
     "the plugin needs no symbol versions of the framework library", "",
     "fsload stands in for the framework library and has no symbol versions; "
     "the dynamic linker aborts the process if it cannot find one.",
     "Link against a framework library without a version script, as "
     "TensorFlow's own is."},
    {RuleId::kRoomForImports, kMust,
     "the plugin names the framework library, or has room to name it", "",
     "The plugin finds its host's functions in a library that it names; "
     "fsload writes that name into its copy of the plugin.",
     "Link with -ltensorflow_framework, or with -Wl,--spare-dynamic-tags=4."},
    {RuleId::kDynamicLinking, kMust, "the dynamic linker opens the plugin", "",
     "A plugin that the dynamic linker does not open has no code to call.",
     "Do what its message says; ldd and LD_DEBUG=libs,symbols show more."},
    {RuleId::kStatusProvider, kMust,
     "whoever gives the plugin TF_SetStatus gives all of TF_Status", "",
     "Every call passes a TF_Status that the plugin's own TF_SetStatus "
     "must understand; one library has to give all of its functions.",
     "Do not define some of the TF_ functions in the plugin; import them "
     "all."},
    {RuleId::kPrivateCopy, kMust, "the system lets the file be copied", "",
     "The bytes that were checked must be the bytes that run, so they are "
     "copied where nobody can change them.",
     "Allow memfd_create and file seals (a seccomp profile may forbid "
     "them), and leave enough memory; or load in place."},
    {RuleId::kNeededLibraries, kMust, "the needed libraries are there", "",
     "The dynamic linker opens a plugin together with all libraries that "
     "it needs.",
     "Install them, or name their folder in the plugin's RUNPATH or in "
     "LD_LIBRARY_PATH."},
    {RuleId::kHostFunctions, kMust,
     "the host has the C functions that the plugin calls", "",
     "A plugin that calls a function of its host which this host does not "
     "have cannot be opened.",
     "Use a version of the plugin that imports only the functions of "
     "TensorFlow's C interface that fsload gives."},
    {RuleId::kTensorFlowSymbols, kMust,
     "the plugin needs no C++ symbols of TensorFlow", "",
     "C++ symbols of TensorFlow change with each of its releases; no other"
     " host has them.",
     "Build the plugin against TensorFlow's C interface alone, or load it "
     "in the release that it was built for."},
    {RuleId::kOtherSymbols, kMust, "all other symbols are defined", "",
     "The dynamic linker opens no library with symbols that nobody "
     "defines.",
     "Link the plugin with the libraries that define them; the linker's -z"
     " defs finds these."},
    {RuleId::kGlibcVersion, kMust, "the system's glibc is new enough", "",
     "The plugin was built on a newer system: functions that it needs are not "
     "in this one's C library.",
     "Build it on a system as old as the oldest that it is to run on, or "
     "use a newer system."},
    {RuleId::kLibstdcxxVersion, kMust, "the system's libstdc++ is new enough",
     "",
     "The plugin was built by a newer compiler: functions that it needs are "
     "not in this system's C++ library.",
     "Build it with an older compiler, or install a newer libstdc++."},
    {RuleId::kOtherVersions, kMust,
     "other libraries have the symbol versions that the plugin needs", "",
     "A library is there, but in an older version than the plugin was "
     "built with.",
     "Install a newer version of the library."},
    {RuleId::kVersionsSomewhere, kMust,
     "the plugin needs symbol versions only of libraries that have some", "",
     "The dynamic linker aborts the process if a plugin needs a symbol version "
     "of a library without any.",
     "Use the library that the plugin was linked with, or link the plugin "
     "with the one that is here."},
    {RuleId::kCodeNotWritten, kShould, "the plugin has no text relocations", "",
     "Code that the dynamic linker has to write to is a copy of its own "
     "for each process, and some systems forbid it.",
     "Compile everything in the plugin with -fPIC."},
    {RuleId::kStackNotExecutable, kShould,
     "the plugin needs no executable stack", "",
     "The dynamic linker makes the stacks of the whole process executable "
     "for it, which helps attackers; some systems forbid it.",
     "Link with -z noexecstack; assembly files need a .note.GNU-stack "
     "section."},
    {RuleId::kTlsOnDemand, kShould, "the plugin needs no static TLS", "",
     "Static thread-local storage is taken from a small reserve: with "
     "other such libraries, \"cannot load any more object with static "
     "TLS\" is a matter of time.",
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
     "A call of data ends the process.", "Define TF_InitPlugin as a function."},
    {RuleId::kFileNotWorldWritable, kMust, "not everybody may write the file",
     "", "Whoever may write the file decides what code runs in the host.",
     "chmod o-w the file."},
    {RuleId::kFolderNotWorldWritable, kMust,
     "not everybody may replace the file", "",
     "Whoever may write the folder can put another file in the plugin's "
     "place. A sticky folder is fine when the file is yours or root's.",
     "Move the plugin to a folder that only its owner may write, or chmod "
     "o-w the folder."},
    {RuleId::kAllowed, kMust, "the file is on the allow list", "",
     "The host asked for an allow list: what is not on it is not loaded.",
     "Add the file's SHA-256 (sha256sum prints it) to the list, if you "
     "trust the file."},
    {RuleId::kAllowListReadable, kMust, "the allow list can be relied on", "",
     "A list that cannot be read or parsed allows nothing.",
     "Check the path; each line is a SHA-256 as sha256sum prints it."},
    {RuleId::kReadable, kMust, "the file can be opened and read", "",
     "A plugin is loaded from a copy of its bytes, so they must be "
     "readable by the user who loads it.",
     "Check the permissions of the file and of the folders above it, and "
     "the user who runs the host."},
    {RuleId::kWhole, kMust, "the ELF file is whole", "",
     "Parts that the file says it has lie behind its end.",
     "Copy or download the file again; it is cut off."},
    {RuleId::kByteOrder, kMust, "the ELF file is little-endian", "",
     "Code for another byte order cannot run in this process.",
     "Use a build for little-endian machines."},
    {RuleId::kWithinLimits, kMust, "the static pass ends within its limits", "",
     "A file that claims to have more than any plugin has is not read to the "
     "end, so it cannot be verified.",
     "Check that the path is that of a plugin."},
    {RuleId::kNoStandIns, kShould, "no function has a stand-in", "",
     "Functions that the plugin calls are missing. The host asked for "
     "stand-ins, which end an operation that calls one with UNIMPLEMENTED; "
     "what calls none works.",
     "Use a version of the plugin that calls only functions of TensorFlow's C "
     "interface, or link the missing ones into it."},
    {RuleId::kSystem, kMust, "the ELF file is for this kind of Unix", "",
     "Its system calls and its C library are another system's.",
     "Use the build for Linux."},
    {RuleId::kCacheUsable, kMust, "the cache can be used", "",
     "A wheel's plugins are unpacked to a folder of the cache, which only its "
     "owner may change, for code is loaded from it.",
     "Do what the message says; XDG_CACHE_HOME names another folder."},
    {RuleId::kWheelHasPlugin, kMust, "the wheel has a plugin in it", "L1119",
     "What exports TF_InitPlugin is a plugin; a wheel without one has nothing "
     "to load.",
     "Check that it is the right wheel, and the one for this machine."},
    {RuleId::kWheelWithinLimits, kMust, "the wheel is of sane size", "",
     "What unpacks to far more than it is, or than any plugin has, would fill "
     "the disk.",
     "Check that it is the right wheel."},
    {RuleId::kWheelWellFormed, kMust, "the wheel is well-formed", "",
     "A wheel is a zip file whose entries are files below its folder, each "
     "once.",
     "Download the wheel again; it is damaged, or was made to do damage."},

    {RuleId::kEntryReturns, kMust, "TF_InitPlugin returns", "L1102",
     "Until TF_InitPlugin has returned, nothing is known of the plugin's "
     "schemes.",
     "Catch exceptions in TF_InitPlugin; report what fails from init, "
     "which has a status."},
    {RuleId::kHasSchemes, kMust, "the plugin registers a scheme", "L1112",
     "A plugin without a scheme gives a host nothing to call.",
     "Set num_schemes and ops in TF_InitPlugin."},
    {RuleId::kFewSchemes, kMust, "the number of schemes is sane", "L1057",
     "A number this large is an uninitialised field.",
     "Set num_schemes to the number of entries in ops."},
    {RuleId::kOpsArray, kMust, "the ops array can be read", "L1057",
     "The host reads num_schemes entries from ops; memory that is not "
     "there would crash it.",
     "Allocate num_schemes entries of TF_FilesystemPluginOps with "
     "plugin_memory_allocate."},
    {RuleId::kSchemeString, kMust, "the scheme is a string", "L1022",
     "The scheme is the key under which the file system is registered.",
     "Set scheme to a string that ends in a null byte, of 63 bytes at "
     "most."},
    {RuleId::kSchemeGrammar, kMust, "the scheme can stand in a URI", "L1020",
     "What stands before \"://\" is a letter and then letters, digits or "
     "dots: another scheme could never be asked for.",
     "Name the scheme as it stands in its URIs."},
    {RuleId::kSchemeOnce, kMust, "a scheme is registered once", "L1112",
     "Two entries for one scheme leave open which tables count.",
     "Fill in one entry for each scheme."},
    {RuleId::kSchemeFree, kMust, "the scheme is not taken", "L1107",
     "A scheme is served by one file system, so that a URI means one file.",
     "Retire the other plugin's scheme first, or load only one of the two."},
    {RuleId::kFilesystemTable, kMust, "each scheme has a TF_FilesystemOps",
     "L326", "Without its table a file system cannot be called.",
     "Set filesystem_ops of each entry."},
    {RuleId::kTableReadable, kMust, "the table can be read as far as declared",
     "L1029",
     "The host copies a table's declared bytes; memory that is not there "
     "would crash it.",
     "Let each table stay until TF_InitPlugin has returned, as large as "
     "its size says."},
    {RuleId::kTableHoldsRequired, kMust,
     "the table is large enough for its required operations", "L130",
     "A table that ends before its required operations lacks them.",
     "Call TF_SetFilesystemVersionMetadata on each entry: it sets the "
     "sizes."},
    {RuleId::kTableOfPointers, kMust,
     "the table's size is a multiple of a pointer's", "L933",
     "A table is nothing but pointers, so another size is not a size.",
     "Call TF_SetFilesystemVersionMetadata on each entry: it sets the "
     "sizes."},
    {RuleId::kTableKnown, kNote, "the table is no newer than fsload", "L194",
     "The plugin was built for a newer interface; operations that this "
     "host does not know are not called.",
     "Nothing has to be done; a newer fsload may know more."},
    {RuleId::kTableHasSize, kMust, "a table that is set has a size", "L1112",
     "A size is how a host knows which operations a table has.",
     "Call TF_SetFilesystemVersionMetadata on each entry: it sets the "
     "sizes."},
    {RuleId::kAbi, kMust, "the table's ABI number is ours", "L954-L960",
     "An ABI number that differs means that the functions have other "
     "parameters.",
     "Build the plugin against the interface that this host has."},
    {RuleId::kApi, kShould, "the table's API number is ours", "L943-L952",
     "An API number that differs means that operations were added or "
     "changed in meaning; those that are there can be called.",
     "Build the plugin against the interface that this host has."},
    {RuleId::kOpIsCode, kMust, "an operation is executable code", "L205-L925",
     "A call through a pointer to data ends the process.",
     "Set the operation to a function, or to null where the default will "
     "do; initialise the whole table."},
    {RuleId::kRequiredOp, kMust, "required operations are there", "L130",
     "What has no default and is needed to use an object at all must be "
     "there.",
     "Set the operation."},
    {RuleId::kConditionalTable, kMust,
     "what opens a file comes with that file's table", "L358-L415",
     "A file that can be opened and then not used is worse than one that "
     "cannot be opened.",
     "Set the table of the file's operations, or leave the opening "
     "operation null."},
    {RuleId::kHooksSet, kMust, "both allocator hooks are set", "L1116",
     "What a plugin hands over is freed by the host with the plugin's own "
     "hook.",
     "Set plugin_memory_allocate and plugin_memory_free in TF_InitPlugin."},
    {RuleId::kHooksTogether, kMust, "the allocator hooks are replaced together",
     "L1116", "Memory of one allocator freed by another corrupts both.",
     "Set both hooks, to functions of one allocator."},
    {RuleId::kHooksAreCode, kMust, "the allocator hooks are executable code",
     "L1074", "A call through a pointer to data ends the process.",
     "Set both hooks to functions."},
    {RuleId::kHooksReplaced, kShould, "the plugin sets its own hooks", "L1116",
     "Hosts need not offer hooks of their own: TensorFlow passes null.",
     "Set plugin_memory_allocate and plugin_memory_free in TF_InitPlugin."},
    {RuleId::kMemoryAllocated, kShould,
     "what is handed over comes from the plugin's allocator", "L1029",
     "The host frees names, tables and the ops array with the plugin's "
     "hook (fsload looks first; TensorFlow does not).",
     "Allocate what is handed over with plugin_memory_allocate, each piece"
     " by itself."},
    {RuleId::kMappingsKnown, kMust, "this process can read its memory map", "",
     "Whether a pointer leads to code is read from the process's memory "
     "map.",
     "Mount /proc in the container."},
    {RuleId::kSealed, kMust, "the tables can be sealed", "L144",
     "Tables that could change later could be made to call anything.",
     "Leave enough memory to the process, and allow mmap and mprotect."},

    {RuleId::kTableSizeSane, kMust, "the table's size is sane", "L194",
     "A size far over that of any release is an uninitialised field.",
     "Call TF_SetFilesystemVersionMetadata on each entry: it sets the "
     "sizes."},
    {RuleId::kHooksWork, kMust, "the allocator hooks allocate and free",
     "L1074",
     "Strings and lists are passed in memory of these hooks; perhaps the two "
     "are swapped.",
     "Set plugin_memory_allocate to what allocates, like calloc, and "
     "plugin_memory_free to what frees it, like free; throw from neither."},

    {RuleId::kInitSucceeds, kMust, "init succeeds", "L324",
     "A file system whose init failed must not be called.",
     "Do what the plugin's message says; often a credential, a server or a"
     " variable is missing."},
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
     "A host that calls a plugin expects to go on, whatever the plugin "
     "makes of the call.",
     "Report what is wrong in the status, from init on, instead of calling"
     " exit or _exit."},
    {RuleId::kLeavesThreadRunning, kMust,
     "the plugin does not end its host's thread", "",
     "The thread that calls a plugin is the host's, and holds the host's "
     "locks.",
     "Return, instead of calling pthread_exit, and cancel no threads but "
     "your own."},
    {RuleId::kComesToAnEnd, kMust, "the plugin does not hang", "",
     "A host waits for the call that it makes, and cannot end it.",
     "Give what waits for a server, a lock or a thread a time limit; "
     "--deadline sets the time that a check allows."},
    {RuleId::kThrowsNothing, kMust, "static initialisers throw nothing", "",
     "They run while the dynamic linker opens the plugin, and an exception"
     " cannot pass through it unharmed.",
     "Catch what they throw, or do the work in TF_InitPlugin."},
    {RuleId::kLeavesNoProcesses, kMust, "the plugin leaves no processes behind",
     "",
     "What a plugin starts and does not end stays on the machine when its "
     "host has gone.",
     "End and wait for what was started, in cleanup at the latest."},
    {RuleId::kKeepsDescriptors, kMust,
     "the plugin leaves its host's descriptors open", "",
     "The number of a closed descriptor is used again for the next file: the "
     "host then writes to the wrong file.",
     "Close only what the plugin opened, and each once."},
    {RuleId::kKeepsSignalHandlers, kMust,
     "the plugin leaves its host's signal handlers alone", "",
     "A signal has one handler in a process, and the host's is lost.",
     "Install none; a library that a plugin brings often has an option for"
     " that."},
    {RuleId::kTakesLittleMemory, kMust, "the plugin loads in bounded memory",
     "", "What a plugin takes, its host cannot have.",
     "Allocate caches when they are used, and bound them."},
    {RuleId::kPrintsLittle, kMust, "the plugin prints little while it loads",
     "",
     "Standard output and error are the host's: a pipeline reads the one, "
     "a log keeps the other.",
     "Print nothing; report what went wrong in the status, and details "
     "with TF_VLog."},
    {RuleId::kNeedsNoRefusedCalls, kNote,
     "the plugin makes no system call that a check refuses", "",
     "A check confines a plugin: a call that it refuses may work in a host, "
     "and the check cannot tell what it would do there.",
     "Check the plugin with --network where it needs a server, or with "
     "--no-isolation where you trust it."},
    {RuleId::kKeepsWorkingDirectory, kMust,
     "the plugin leaves the working directory alone", "",
     "It is one for the whole process: relative paths of the host begin there.",
     "Use absolute paths, or openat."},
    {RuleId::kKeepsUmask, kMust, "the plugin leaves the umask alone", "",
     "It is one for the whole process: files of the host get other modes.",
     "Give files their modes with fchmod."},
    {RuleId::kKeepsSignalMask, kMust,
     "the plugin leaves the signals that are blocked alone", "",
     "The thread that calls a plugin is the host's, and so are its signals.",
     "Put back what pthread_sigmask said was blocked before."},
    {RuleId::kKeepsEnvironment, kShould,
     "the plugin leaves the environment alone", "",
     "Other libraries read it, and threads that do so while it is changed may "
     "crash.",
     "Pass settings as arguments, not through setenv."},
    {RuleId::kKeepsUser, kMust, "the plugin leaves user and group alone", "",
     "What the process may do is for its host to decide.",
     "Change users in a process of the plugin's own."},
    {RuleId::kKeepsFloatingPoint, kShould,
     "the plugin leaves the floating-point mode alone", "",
     "Threads of the host calculate other results: numbers near zero become "
     "zero, or are rounded otherwise.",
     "Link without -ffast-math and -Ofast, which set it in a static "
     "initialiser; put back what fegetenv said."},
    {RuleId::kKeepsTimers, kMust, "the plugin starts no timers of the process",
     "",
     "There is one of each kind, and its signal ends a host that does not "
     "expect it.",
     "Use timer_create with a thread of the plugin's own, or timerfd_create."},
    {RuleId::kKeepsTerminateHandler, kShould,
     "the plugin leaves the terminate handler alone", "",
     "There is one in a process: the host's, which says how it died, is lost.",
     "Catch exceptions where they are thrown."},
    {RuleId::kLeavesDescriptors, kMust,
     "the plugin leaves descriptors for its host", "",
     "A process may open so many files; when a plugin has them all, its host "
     "can open none.",
     "Close what is not needed, and open files when they are used."},
    {RuleId::kCleanupThrowsNothing, kMust, "cleanup throws nothing", "L343",
     "cleanup has no status, and is called where nothing may be thrown: other "
     "hosts end.",
     "Catch what it throws."},
    {RuleId::kReportArrives, kMust, "the report on the plugin arrives whole",
     "",
     "A plugin is verified only by a report that is complete and agrees with "
     "itself; what runs in the plugin's process may have written over it.",
     "Look for what writes over memory that is not its own, with "
     "AddressSanitizer for one."},
};

}  // namespace

absl::Span<const Rule> AllRules() { return kRules; }

const Rule& Describe(RuleId id) {
  return *std::find_if(std::begin(kRules), std::end(kRules),
                       [id](const Rule& rule) { return rule.id == id; });
}

std::optional<RuleId> RuleOf(int number) {
  for (const Rule& rule : kRules) {
    if (static_cast<int>(rule.id) == number) return rule.id;
  }
  return std::nullopt;
}

std::string Name(RuleId id) {
  return fmt::format("FSP{:03}", static_cast<int>(id));
}

}  // namespace fsload
