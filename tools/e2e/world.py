"""What all cases share: the command, the plugins and the servers."""
import contextlib
import os
import shutil
import subprocess
import tempfile

import downloads
from compiled import shared_object
from processes import az_server, gs_server, s3_server, service_account
from small_servers import token_server
from stores import Az, Careless, Gs, Hdfs, S3

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


class World:
    def __init__(self, fsload, folder, plugin_folder, plugins, wheels, python, stores, account):
        self.fsload = fsload
        self.folder = folder
        self.plugin_folder = plugin_folder  # contains both plugins
        self.plugins = plugins              # {"s3": path, "gs": path}
        self.wheels = wheels                # {"s3": path, "gs": path}
        self.python = python  # has the servers' packages
        self.stores = stores                # by scheme
        self.account = account              # gs's service account

    def environment(self, s3_port=None, gs_port=None, az_port=None):
        """The plugins and servers that fsload is to use, and nothing else."""
        s3_port = s3_port or self.stores["s3"].port
        gs_port = gs_port or self.stores["gs"].port
        az_port = az_port or self.stores["az"].port
        return {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "HOME": self.folder,
            "TMPDIR": os.path.join(self.folder, "tmp"),
            "XDG_CACHE_HOME": os.path.join(self.folder, "cache"),
            "FSLOAD_PLUGIN_PATH": self.plugin_folder,
            "S3_ENDPOINT": f"http://127.0.0.1:{s3_port}",
            "S3_VERIFY_SSL": "0",
            "S3_CONNECT_TIMEOUT_MSEC": "5000",
            "S3_REQUEST_TIMEOUT_MSEC": "60000",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "x",
            "AWS_SECRET_ACCESS_KEY": "y",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_RETRY_MODE": "standard",
            "AWS_MAX_ATTEMPTS": "3",
            "CLOUD_STORAGE_EMULATOR_ENDPOINT": f"http://127.0.0.1:{gs_port}",
            "GOOGLE_APPLICATION_CREDENTIALS": self.account,
            "GCS_APPEND_MODE": "compose",
            "GCS_READ_CACHE_BLOCK_SIZE_MB": "1",
            "GCS_READ_CACHE_MAX_SIZE_MB": "16",
            "GCS_READ_CACHE_MAX_STALENESS": "1",
            "GCS_STAT_CACHE_MAX_AGE": "1",
            "GCS_STAT_CACHE_MAX_ENTRIES": "100",
            "TF_AZURE_STORAGE_KEY": Az.KEY,
            "TF_AZURE_STORAGE_USE_HTTP": "1",
            # The plugin knows accounts by the names of their hosts.
            "http_proxy": f"http://127.0.0.1:{az_port}",
            "no_proxy": "127.0.0.1",
            "HADOOP_HDFS_HOME": os.path.join(self.folder, "hadoop"),
            "FSLOAD_TEST_HDFS": self.stores["hdfs"].folder,
            "CARELESS_STORE": self.stores["careless"].folder,
        }


def build(*options, target="//tools:fsload"):
    """Returns the path of the file that was built."""
    subprocess.run(["./bazelw", "build", "--noshow_progress", *options, target], cwd=ROOT,
                   check=True)
    return os.path.join(ROOT, "bazel-bin", target[2:].replace(":", "/"))


@contextlib.contextmanager
def open_world(fsload):
    """Starts the servers and sets up everything else, as a context manager."""
    with contextlib.ExitStack() as stack:
        # Readable by the user without permissions.
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="fsload-e2e-"))
        os.chmod(folder, 0o755)
        # Temporary files of killed plugins are deleted with the world.
        os.mkdir(os.path.join(folder, "tmp"))
        os.chmod(os.path.join(folder, "tmp"), 0o1777)
        python = downloads.python_with_servers()
        plugin_folder = os.path.join(folder, "plugins")
        os.mkdir(plugin_folder)
        plugins = downloads.unpack_plugins(plugin_folder)
        account = os.path.join(folder, "account.json")
        tokens = stack.enter_context(token_server())
        service_account(python, account, f"http://127.0.0.1:{tokens.port}/token")
        os.chmod(account, 0o644)
        stores = {"s3": S3(stack.enter_context(s3_server(python)).port),
                  "gs": Gs(stack.enter_context(gs_server(python)).port),
                  "az": Az(stack.enter_context(az_server()).port),
                  "hdfs": Hdfs(os.path.join(folder, "hdfs")),
                  "careless": Careless(os.path.join(folder, "careless"))}
        for scheme in ("hdfs", "careless"):
            os.mkdir(stores[scheme].folder)
            os.chmod(stores[scheme].folder, 0o777)
        native = os.path.join(folder, "hadoop/lib/native")
        os.makedirs(native)
        shutil.copy(shared_object("hdfs"), os.path.join(native, "libhdfs.so"))
        shutil.copy(shared_object("careless"), plugin_folder)
        # Alone in its folder, as fsload also looks for plugins beside itself.
        command = os.path.join(folder, "bin", "fsload")
        os.mkdir(os.path.dirname(command))
        yield World(shutil.copy(fsload, command), folder, plugin_folder,
                    plugins, downloads.wheels(), python, stores, account)
