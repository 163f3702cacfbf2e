// A newer library than the one of the same name that a plugin finds.
extern "C" int FsloadTestFuture() { return 1; }
