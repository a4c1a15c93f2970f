"""Child processes that say what they do in lines."""
import json
import os
import queue
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))


def environment(library=None, control=None):
    env = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    if library is not None:
        env["LD_PRELOAD"] = library
    if control is not None:
        env["TESSERA_CUDA_FAULT_CONTROL"] = control
    return env


class Worker:
    """Reads a child's lines in the background; None marks the end of its output."""

    def __init__(self, command, env):
        pipe = subprocess.PIPE
        self.child = subprocess.Popen(command, env=env, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.lines = queue.Queue()
        self.errors = []
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def _read_errors(self):
        for line in self.child.stderr:
            self.errors.append(line.rstrip())
            del self.errors[:-40]

    def line(self, timeout_s=90):
        try:
            return self.lines.get(timeout=timeout_s)
        except queue.Empty:
            self.end()
            raise TimeoutError(f"no line within {timeout_s} s; its errors: {self.errors[-5:]}") from None

    def event(self, timeout_s=90):
        """The next line that is JSON, or None at the end."""
        while True:
            line = self.line(timeout_s)
            if line is None:
                return None
            if line.startswith("{"):
                return json.loads(line)

    def until(self, *names, timeout_s=90):
        """The first event of one of these names; the last event of all when the child ends before."""
        last = None
        while True:
            event = self.event(timeout_s)
            if event is None:
                return last or {"event": "ended", "errors": self.errors[-8:]}
            if event.get("event") in names:
                return event
            last = event

    def tell(self, text="go"):
        try:
            self.child.stdin.write(text + "\n")
            self.child.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass

    def code(self, timeout_s=30):
        try:
            return self.child.wait(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            self.end()
            return "hung"

    def end(self):
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()


def trainer(mode, steps, env):
    return Worker([sys.executable, os.path.join(HERE, "train.py"), mode, str(steps)], env)
