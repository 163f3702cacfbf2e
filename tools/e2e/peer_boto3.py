"""One action of tools/e2e/peers with boto3.

    peer_boto3.py JOBS up|down|fetch|list|delete PATH BUCKET PREFIX
"""
import concurrent.futures
import os
import sys

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config

JOBS, ACTION, PATH, BUCKET, PREFIX = sys.argv[1:]
JOBS = int(JOBS)
CONFIG = TransferConfig(max_concurrency=JOBS)
S3 = boto3.client("s3", config=Config(s3={"addressing_style": "path"},
                                      max_pool_connections=2 * JOBS))


def objects():
    for page in S3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=PREFIX + "/"):
        yield from page.get("Contents", [])


def each(work, arguments):
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for _ in pool.map(work, arguments):
            pass


def upload(name):
    S3.upload_file(os.path.join(PATH, name), BUCKET, f"{PREFIX}/{name}", Config=CONFIG)


def download(found):
    S3.download_file(BUCKET, found["Key"], os.path.join(PATH, os.path.basename(found["Key"])),
                     Config=CONFIG)


if ACTION == "up":
    each(upload, os.listdir(PATH))
elif ACTION == "down":
    os.makedirs(PATH, exist_ok=True)
    each(download, objects())
elif ACTION == "fetch":
    S3.download_file(BUCKET, PREFIX, PATH, Config=CONFIG)
elif ACTION == "list":
    for one in objects():
        print(one["Size"], one["LastModified"], one["Key"])
else:
    keys = [{"Key": one["Key"]} for one in objects()]
    for begin in range(0, len(keys), 1000):
        S3.delete_objects(Bucket=BUCKET, Delete={"Objects": keys[begin:begin + 1000]})
