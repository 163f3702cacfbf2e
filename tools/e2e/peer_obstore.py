"""One action of tools/e2e/peers with obstore.

    peer_obstore.py JOBS up|down|fetch|list|delete PATH BUCKET PREFIX
"""
import concurrent.futures
import os
import sys

import obstore
from obstore.store import S3Store

JOBS, ACTION, PATH, BUCKET, PREFIX = sys.argv[1:]
JOBS = int(JOBS)
STORE = S3Store(BUCKET, endpoint=os.environ["AWS_ENDPOINT_URL"], region="us-east-1",
                access_key_id="x", secret_access_key="y", virtual_hosted_style_request=False,
                client_options={"allow_http": True})
BLOCK = 8 << 20


def objects():
    for page in obstore.list(STORE, PREFIX + "/"):
        yield from page


def each(work, arguments):
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for _ in pool.map(work, arguments):
            pass


def upload(name):
    with open(os.path.join(PATH, name), "rb") as file:
        obstore.put(STORE, f"{PREFIX}/{name}", file, chunk_size=BLOCK, max_concurrency=JOBS)


def download(found):
    fetch(found, os.path.join(PATH, os.path.basename(found["path"])))


def fetch(found, path):
    """By ranges in parallel where that is of use, as its users do."""
    if found["size"] <= BLOCK:
        with open(path, "wb") as file:
            file.write(obstore.get(STORE, found["path"]).bytes())
        return
    with open(path, "wb") as file:
        def piece(begin):
            end = min(begin + BLOCK, found["size"])
            os.pwrite(file.fileno(), obstore.get_range(STORE, found["path"], start=begin, end=end),
                      begin)
        each(piece, range(0, found["size"], BLOCK))


if ACTION == "up":
    each(upload, os.listdir(PATH))
elif ACTION == "down":
    os.makedirs(PATH, exist_ok=True)
    each(download, objects())
elif ACTION == "fetch":
    fetch(obstore.head(STORE, PREFIX), PATH)
elif ACTION == "list":
    for one in objects():
        print(one["size"], one["last_modified"], one["path"])
else:
    obstore.delete(STORE, [one["path"] for one in objects()])
