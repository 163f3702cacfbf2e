// What a program does with memory that was freed.
#pragma once

namespace fsload {

// Keeps freed blocks in this process for later ones. Plugins of stores allocate
// blocks of several MiB for each request: where freed ones are given back, a
// download of large objects spends half of the system's time on new pages. For
// programs of fsload's own, before they start threads.
void KeepFreedBlocks();

}  // namespace fsload
