"""Prints a Google service account, with a new key.

    service_account.py TOKEN_URI
"""
import json
import sys

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
json.dump({
    "type": "service_account",
    "project_id": "e2e",
    "private_key_id": "1",
    "private_key": key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption()).decode(),
    "client_email": "e2e@e2e.example",
    "client_id": "1",
    "token_uri": sys.argv[1],
}, sys.stdout)
