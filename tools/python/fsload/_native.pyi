"""The extension: cffi on the C API, whose headers have the types."""
from typing import Any

ffi: Any
lib: Any
