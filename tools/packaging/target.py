"""The processor that a program is for: what packages call it, and its tools."""
import dataclasses
import os
import struct


@dataclasses.dataclass(frozen=True)
class Target:
    name: str  # Linux's
    debian: str
    sysroot: str = ""  # with its libraries, where these are not those of this system

    @property
    def triplet(self):
        return f"{self.name}-linux-gnu"

    @property
    def libraries(self):
        return f"usr/lib/{self.triplet}"

    @property
    def library_folders(self):
        """Those of the sysroot, if there is one."""
        folders = (self.libraries, f"lib/{self.triplet}") if self.sysroot else ()
        return [f"{self.sysroot}/{folder}" for folder in folders]

    def tool(self, name):
        """A program of its binutils, which this system's are too."""
        return f"{self.triplet}-{name}"


TARGETS = {62: Target("x86_64", "amd64"), 183: Target("aarch64", "arm64")}  # by e_machine


def target_of(program, shlibs=""):
    """That of the ELF file `program`; `shlibs` is a file in the sysroot, if there is one."""
    with open(program, "rb") as file:
        [machine] = struct.unpack_from("<H", file.read(20), 18)
    return dataclasses.replace(TARGETS[machine], sysroot=os.path.dirname(os.path.realpath(shlibs))
                               if shlibs else "")
