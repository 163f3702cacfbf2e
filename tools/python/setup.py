"""What pyproject.toml cannot say: the extension, and that it fits all later Pythons."""
import os

from setuptools import setup

setup(
    version=os.environ["FSLOAD_VERSION"],
    cffi_modules=["native.py:ffi"],
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
