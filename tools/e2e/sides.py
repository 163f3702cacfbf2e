"""The sides of a random run: a bucket and a folder, prepared and read without
fsload."""
import os

import trees


class Bucket:
    def __init__(self, store, name):
        self._store = store
        self._name = name
        store.make_bucket(name)

    def uri(self, path):
        return self._store.uri(self._name, path)

    def write(self, files):
        for path, contents in files.items():
            self._store.put(self._name, path, contents)

    def read(self):
        """{path: bytes} of everything there, except objects that stand for
        directories: empty, with a slash at the end."""
        found = {path: self._store.get(self._name, path)
                 for path in self._store.keys(self._name)}
        return {path: contents for path, contents in found.items()
                if contents or not path.endswith("/")}

    def make_folder(self, path):
        """Nothing to do: prefixes need no folders."""

    def has_folder(self, path):
        return any(key.startswith(path + "/") for key in self._store.keys(self._name))


class Folder:
    def __init__(self, path):
        self._path = path
        os.mkdir(path)

    def uri(self, path):
        return os.path.join(self._path, path)

    def write(self, files):
        trees.write(self._path, files)

    def read(self):
        return trees.read(self._path)

    def make_folder(self, path):
        os.makedirs(self.uri(path), exist_ok=True)

    def has_folder(self, path):
        return os.path.isdir(self.uri(path))
