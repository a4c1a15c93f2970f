"""Runs a Python program and starts it again when it dies, three times at most."""

import subprocess
import sys

for _ in range(4):
    code = subprocess.call([sys.executable, *sys.argv[1:]])
    if code == 0:
        break
    print(f"the worker ended with {code}", flush=True)
sys.exit(code if code >= 0 else 1)
