// A library that calls another one, which it does not name.
extern "C" int FsloadTestNeighbour();
extern "C" int FsloadTestLacksNeighbour() { return FsloadTestNeighbour(); }
