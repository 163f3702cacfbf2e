"""The sides of a random run: a bucket and a folder, prepared and read without
fsload."""
import os


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
        for path, contents in files.items():
            path = self.uri(path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(contents)

    def read(self):
        found = {}
        for folder, _, names in os.walk(self._path):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self._path)] = file.read()
        return found

    def make_folder(self, path):
        os.makedirs(self.uri(path), exist_ok=True)

    def has_folder(self, path):
        return os.path.isdir(self.uri(path))
