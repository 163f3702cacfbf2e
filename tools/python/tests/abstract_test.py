"""fsspec's own suite, on each kind of storage. What fails, and why, is in
expected_failures.txt."""
import uuid

import fsspec
import fsspec.tests.abstract as abstract
import pytest
from conftest import BUCKET


class Fixtures(abstract.AbstractFixtures):
    protocol = ""

    @pytest.fixture
    def fs(self):
        return fsspec.filesystem(self.protocol)

    @pytest.fixture
    def fs_join(self):
        return lambda *parts: "/".join(str(part) for part in parts)


class Posix(Fixtures):
    protocol = "fsload+posix"

    @pytest.fixture
    def fs_path(self, tmp_path):
        return str(tmp_path / "fs")

    @pytest.fixture
    def fs(self, tmp_path):
        (tmp_path / "fs").mkdir()
        return fsspec.filesystem(self.protocol)


class Memory(Fixtures):
    protocol = "fsload"

    @pytest.fixture
    def fs_path(self, fs):
        path = f"memory://host/{uuid.uuid4().hex}/fs"
        fs.makedirs(path)
        return path


class S3(Fixtures):
    protocol = "fsload+s3"

    @pytest.fixture
    def fs_path(self):
        return f"{BUCKET}/{uuid.uuid4().hex}"


    @pytest.fixture
    def supports_empty_directories(self):
        return False


class Gs(Fixtures):
    protocol = "fsload+gs"

    @pytest.fixture
    def fs_path(self):
        return f"{BUCKET}/{uuid.uuid4().hex}"


class TestPosixCopy(abstract.AbstractCopyTests, Posix): pass
class TestPosixGet(abstract.AbstractGetTests, Posix): pass
class TestPosixPut(abstract.AbstractPutTests, Posix): pass
class TestPosixOpen(abstract.AbstractOpenTests, Posix): pass
class TestPosixPipe(abstract.AbstractPipeTests, Posix): pass


class TestMemoryCopy(abstract.AbstractCopyTests, Memory): pass
class TestMemoryGet(abstract.AbstractGetTests, Memory): pass
class TestMemoryPut(abstract.AbstractPutTests, Memory): pass
class TestMemoryOpen(abstract.AbstractOpenTests, Memory): pass
class TestMemoryPipe(abstract.AbstractPipeTests, Memory): pass


class TestS3Copy(abstract.AbstractCopyTests, S3): pass
class TestS3Get(abstract.AbstractGetTests, S3): pass
class TestS3Put(abstract.AbstractPutTests, S3): pass
class TestS3Open(abstract.AbstractOpenTests, S3): pass
class TestS3Pipe(abstract.AbstractPipeTests, S3): pass


class TestGsCopy(abstract.AbstractCopyTests, Gs): pass
class TestGsGet(abstract.AbstractGetTests, Gs): pass
class TestGsPut(abstract.AbstractPutTests, Gs): pass
class TestGsOpen(abstract.AbstractOpenTests, Gs): pass
class TestGsPipe(abstract.AbstractPipeTests, Gs): pass
