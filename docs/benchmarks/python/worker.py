"""Measures one library, in turn with others: reads lines "WORK", prints "SECONDS" for each.

    worker.py LIBRARY STORE PORT BUCKET SMALL RANGES LISTED

Each work is checked. The works are the methods of Fsspec, of Obstore, of Arrow and of Local.
"""
import concurrent.futures
import random
import sys
import time

JOBS = 8  # where a library leaves that to its user
RANGE = 1000  # bytes
SMALL_BYTES = 100
LARGE, LARGE_BYTES = "large", 500 * 1000 * 1000
LOCAL_BYTES = 64 << 20
READ = 4096
READS = 10_000


def expect(found, wanted):
    if found != wanted:
        raise SystemExit(f"{sys.argv}: found {found!r:.200}, expected {wanted!r:.200}")


def at_once(function, arguments):
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(function, arguments))



class Works:
    """Of a store."""

    def __init__(self, bucket, small, ranges, listed):
        self.bucket = bucket
        self.small = [f"{bucket}/small/{number:05}" for number in range(small)]
        chosen = random.Random(1)
        self.starts = [chosen.randrange(LARGE_BYTES - RANGE) for _ in range(ranges)]
        self.ends = [start + RANGE for start in self.starts]
        self.large = f"{bucket}/{LARGE}"
        self.listed = listed

    def check_small(self, found):
        expect([len(one) for one in found], [SMALL_BYTES] * len(self.small))

    def check_ranges(self, found):
        expect([len(one) for one in found], [RANGE] * len(self.starts))


class Fsspec(Works):
    def __init__(self, fs, *arguments):
        super().__init__(*arguments)
        self.fs = fs

    def small_in_turn(self):
        self.check_small([self.fs.cat_file(path) for path in self.small])

    def small_at_once(self):
        self.check_small(self.fs.cat(self.small).values())

    def ranges(self):
        self.check_ranges(self.fs.cat_ranges([self.large] * len(self.starts), self.starts,
                                             self.ends))

    def read_large(self):
        expect(len(self.fs.cat_file(self.large)), LARGE_BYTES)

    def names(self):
        self.fs.invalidate_cache()
        expect(len(self.fs.ls(f"{self.bucket}/list", detail=False)), self.listed)

    def sizes(self):
        self.fs.invalidate_cache()
        rows = self.fs.ls(f"{self.bucket}/list", detail=True)
        expect(sum(row["size"] for row in rows), self.listed * SMALL_BYTES)


class Obstore(Works):
    def __init__(self, store, *arguments):
        super().__init__(*arguments)
        self.store = store

    def _key(self, path):
        return path.partition("/")[2]

    def _get(self, path):
        import obstore
        return obstore.get(self.store, self._key(path)).bytes()

    def small_in_turn(self):
        self.check_small([self._get(path) for path in self.small])

    def small_at_once(self):
        self.check_small(at_once(self._get, self.small))

    def ranges(self):
        import obstore
        self.check_ranges(obstore.get_ranges(self.store, LARGE, starts=self.starts,
                                             ends=self.ends))

    def read_large(self):
        expect(len(self._get(self.large)), LARGE_BYTES)

    def sizes(self):
        import obstore
        rows = [row for page in obstore.list(self.store, "list/") for row in page]
        expect(sum(row["size"] for row in rows), self.listed * SMALL_BYTES)

    names = sizes


class Arrow(Works):
    def __init__(self, fs, *arguments):
        super().__init__(*arguments)
        self.fs = fs

    def _get(self, path):
        with self.fs.open_input_stream(path) as file:
            return file.read()

    def small_in_turn(self):
        self.check_small([self._get(path) for path in self.small])

    def small_at_once(self):
        self.check_small(at_once(self._get, self.small))

    def ranges(self):
        with self.fs.open_input_file(self.large) as file:
            self.check_ranges(at_once(lambda start: file.read_at(RANGE, start), self.starts))

    def read_large(self):
        expect(len(self._get(self.large)), LARGE_BYTES)

    def sizes(self):
        import pyarrow.fs
        rows = self.fs.get_file_info(pyarrow.fs.FileSelector(f"{self.bucket}/list"))
        expect(sum(row.size for row in rows), self.listed * SMALL_BYTES)

    names = sizes


def fsload(store, port, *arguments):
    import fsspec
    return Fsspec(fsspec.filesystem(f"fsload+{store}"), *arguments)


def s3fs(_, port, *arguments):
    import s3fs as library
    return Fsspec(library.S3FileSystem(
        key="x", secret="y", endpoint_url=f"http://127.0.0.1:{port}",
        client_kwargs={"region_name": "us-east-1"}), *arguments)


def gcsfs(_, port, *arguments):
    import gcsfs as library
    return Fsspec(library.GCSFileSystem(
        project="e2e", token="anon", endpoint_url=f"http://127.0.0.1:{port}"), *arguments)


def obstore(store, port, bucket, *arguments):
    from obstore.store import S3Store
    return Obstore(S3Store(
        bucket, endpoint=f"http://127.0.0.1:{port}", region="us-east-1", access_key_id="x",
        secret_access_key="y", virtual_hosted_style_request=False,
        client_options={"allow_http": True}), bucket, *arguments)


def pyarrow(store, port, *arguments):
    import pyarrow.fs
    return Arrow(pyarrow.fs.S3FileSystem(
        access_key="x", secret_key="y", region="us-east-1", scheme="http",
        endpoint_override=f"127.0.0.1:{port}"), *arguments)


class Local:
    """One read(4096) of a local file: LIBRARY is of() below."""

    def __init__(self, path, opened, positioned):
        self.path = path
        self._opened = opened
        self._positioned = positioned
        self.offsets = [number * 37 * READ % (LOCAL_BYTES - READ) for number in range(READS)]

    def buffered(self):
        with self._opened(self.path) as file:
            read = file.read
            for _ in range(READS):
                read(READ)
            expect(len(read(READ)), READ)

    def positioned(self):
        file, read = self._positioned(self.path)
        for offset in self.offsets:
            read(READ, offset)
        expect(len(read(READ, 0)), READ)
        file.close()

    @classmethod
    def of(cls, library, path):
        def python(path):
            import os
            file = open(path, "rb", 0)
            descriptor = file.fileno()
            return file, lambda size, offset: os.pread(descriptor, size, offset)

        def ours(path):
            import fsload as library
            file = library.Reader(path)
            return file, file.pread

        def arrow(path):
            from pyarrow.fs import LocalFileSystem
            file = LocalFileSystem().open_input_file(path)
            return file, file.read_at

        def open_ours(path):
            import fsload as library
            return library.open(path, "rb")

        def open_arrow(path):
            from pyarrow.fs import LocalFileSystem
            return LocalFileSystem().open_input_stream(path, buffer_size=1 << 20)

        return cls(path, *{"python": (lambda path: open(path, "rb"), python),
                           "fsload": (open_ours, ours), "pyarrow": (open_arrow, arrow)}[library])


def main():
    library, store, *arguments = sys.argv[1:]
    if store == "local":
        works = Local.of(library, *arguments)
    else:
        port, bucket, *numbers = arguments
        works = globals()[library](store, port, bucket, *map(int, numbers))
    print("ready", flush=True)
    for line in sys.stdin:
        begin = time.perf_counter()
        getattr(works, line.strip())()
        print(time.perf_counter() - begin, flush=True)


main()
