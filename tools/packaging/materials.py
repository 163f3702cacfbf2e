"""Writes a bill of materials (SPDX 2.3, JSON) beside what is packed: the files, and Debian's
packages that are compiled into them."""
import hashlib
import json
import os
import shutil
import time
import uuid

from install import run

# By Debian's name: SPDX's name of the license. Headers are compiled into all that is packed.
HEADERS = {"libabsl-dev": "Apache-2.0", "libcli11-dev": "BSD-3-Clause", "libfmt-dev": "MIT",
           "libtomlplusplus-dev": "MIT", "nlohmann-json3-dev": "MIT"}
# Archives are linked into the command and the worker; the shared library uses shared ones. Of
# libmd only SHA-2 is used.
ARCHIVES = {"libmd-dev": "BSD-3-Clause", "libminizip-dev": "Zlib",
            "libpugixml-dev": "MIT", "libseccomp-dev": "LGPL-2.1-only", "zlib1g-dev": "Zlib"}
NAMESPACE = uuid.UUID("8a0b2c5e-58b0-4d6c-9a6e-2f6c1c1b7f43")


def add_licenses(folder, target, others=()):
    """Puts the texts for what is compiled in, and for `others`, into `folder`, as PACKAGE.txt."""
    os.makedirs(folder, exist_ok=True)
    for package in {*HEADERS, *ARCHIVES, *others}:
        shutil.copyfile(f"{target.sysroot}/usr/share/doc/{package}/copyright",
                        os.path.join(folder, package + ".txt"))


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def installed(name, target):
    """The version and home page of Debian's package, in the target's own system."""
    system = [f"--admindir={target.sysroot}/var/lib/dpkg"] if target.sysroot else []
    first = run("dpkg-query", *system, "--show", "--showformat=${Version} ${Homepage}\n", name)
    return first.splitlines()[0].split()


def library(name, license_name, target):
    version, home = installed(name, target)
    return {"SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "homepage": home, "filesAnalyzed": False,
            "licenseConcluded": license_name, "licenseDeclared": license_name,
            "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator":
                                  f"pkg:deb/debian/{name}@{version}?arch={target.debian}"}]}


def write(path, version, paths, target):
    """Writes the bill of the files `paths` to `path`, which it returns."""
    sums = {each: sha256(each) for each in paths}
    created = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    libraries = [library(name, license_name, target)
                 for name, license_name in sorted({**HEADERS, **ARCHIVES}.items())]
    product = {"SPDXID": "SPDXRef-fsload", "name": "fsload", "versionInfo": version,
               "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
               "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
               "copyrightText": "2026 the fsload authors"}
    files = [{"SPDXID": f"SPDXRef-file-{i}", "fileName": "./" + os.path.basename(each),
              "checksums": [{"algorithm": "SHA256", "checksumValue": sums[each]}]}
             for i, each in enumerate(paths)]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-fsload")]
    relations += [("SPDXRef-fsload", "STATIC_LINK", each["SPDXID"]) for each in libraries]
    relations += [(each["SPDXID"], "GENERATED_FROM", "SPDXRef-fsload") for each in files]
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"fsload-{version}-{target.debian}",
        "documentNamespace": f"urn:uuid:{uuid.uuid5(NAMESPACE, ' '.join(sums.values()))}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(created)),
            "creators": ["Tool: fsload-packaging"]},
        "packages": [product, *libraries], "files": files,
        "relationships": [{"spdxElementId": one, "relationshipType": kind,
                           "relatedSpdxElement": other} for one, kind, other in relations]}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")
    return path
