// A library that a plugin needs from its own folder.
#ifdef NEIGHBOUR_NEEDS_MORE
extern "C" int FsloadTestNeverDefined();
extern "C" int FsloadTestNeighbour() { return FsloadTestNeverDefined(); }
#else
extern "C" int FsloadTestNeighbour() { return 42; }
#endif
