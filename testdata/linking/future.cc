// A library that is newer than the one of its name which a plugin finds.
extern "C" int FsloadTestFuture() { return 1; }
