"""Signs requests to Azure Blob Storage with an account's key ("Shared Key")."""
import base64
import hashlib
import hmac
import urllib.parse

_SIGNED = ["content-encoding", "content-language", "content-length", "content-md5", "content-type",
           "date", "if-modified-since", "if-match", "if-none-match", "if-unmodified-since", "range"]


def authorization(account, key, method, path, query, headers):
    """The Authorization header of a request. `path` is as it is sent, `query` decoded,
    [(name, value)], and `key` in base64."""
    headers = {name.lower(): value.strip() for name, value in headers.items()}
    if headers.get("content-length") == "0":
        del headers["content-length"]
    if "x-ms-date" in headers:
        headers.pop("date", None)
    lines = [method, *(headers.get(name, "") for name in _SIGNED)]
    lines += [f"{name}:{headers[name]}" for name in sorted(headers) if name.startswith("x-ms-")]
    lines.append(f"/{account}{path}")
    values = {}
    for name, value in query:
        values.setdefault(name.lower(), []).append(value)
    lines += [f"{name}:{','.join(sorted(values[name]))}" for name in sorted(values)]
    digest = hmac.digest(base64.b64decode(key), "\n".join(lines).encode(), hashlib.sha256)
    return f"SharedKey {account}:{base64.b64encode(digest).decode()}"


def parsed_query(query):
    return urllib.parse.parse_qsl(query, keep_blank_values=True)
