"""`python -m fsload` is the command."""
from fsload._command import main

main()
