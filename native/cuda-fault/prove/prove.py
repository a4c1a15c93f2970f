"""
Proves the CUDA shim on a real GPU: python3 prove.py --library libtessera-cuda-fault.so [--tessera ./tessera]
[--out FOLDER] [--quick]. Writes shim-proof.json to FOLDER ($OUT, or the current folder), after every step;
ends with 0 when every check held. Needs PyTorch; steps that need nvcc say so where there is none.
"""
import argparse
import json
import os
import shutil
import subprocess
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

import compiled
import scenarios
from control import Control
from workers import environment


class Proof:
    def __init__(self, options):
        self.library = os.path.abspath(options.library)
        self.folder = compiled.temporary_folder()
        self.controls = 0
        self.control = self.new_control()
        self.out = os.path.join(options.out, "shim-proof.json")
        self.began = time.monotonic()
        self.checks = []
        self.notes = {}
        self.took = {}
        self.writing = threading.Lock()

    def new_control(self):
        self.controls += 1
        return Control(os.path.join(self.folder, f"control-{self.controls}"))

    def own_block(self):
        """A block for one scenario, and the environment of processes that have it."""
        control = self.new_control()
        return control, environment(self.library, control.path)

    def armed_environment(self):
        """Of a process with the shim, whatever the block says."""
        return environment(self.library, self.control.path)

    def arm(self, xid, **options):
        in_flight, on_init = scenarios.CODES[xid]
        self.control.arm(xid, in_flight, on_init, **options)

    def disarm(self):
        self.control.disarm()

    def note(self, name, value):
        self.notes[name] = value

    def check(self, name, ok, detail=None):
        self.checks.append({"name": name, "ok": bool(ok), **({} if detail is None else {"detail": detail})})
        print(f"{'ok  ' if ok else 'FAIL'} {name}{'' if detail is None else ': ' + str(detail)}", flush=True)

    def step(self, name, work, *rest):
        if time.monotonic() - self.began > 330:
            self.check(f"{name}: there was time for it", False)
            return
        began = time.monotonic()
        try:
            work(self, *rest)
        except Exception as error:
            self.check(f"{name}: could be tried", False, f"{type(error).__name__}: {error}")
            self.note(f"{name} error", traceback.format_exc())
            if isinstance(error, subprocess.CalledProcessError):
                self.note(f"{name} output", (error.stderr or error.output or "")[-4000:])
        finally:
            self.disarm()
            self.took[name] = round(time.monotonic() - began, 1)
            self.write()

    def write(self):
        ok = all(check["ok"] for check in self.checks)
        document = {"ok": ok, "checks": list(self.checks), "seconds": dict(self.took), **self.notes}
        with self.writing, open(self.out, "w", encoding="utf8") as file:
            json.dump(document, file, indent=1)


def machine(proof):
    def output(*command):
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False).stdout.strip()
        except OSError:
            return ""

    gpu = output("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    proof.note("machine", {"gpu": gpu, "nvcc": output("nvcc", "--version")[-80:], "kernel": output("uname", "-r")})


def by_command_line(proof, tessera):
    """The same block written by `tessera hw shim`."""
    control = proof.control.path
    subprocess.run(
        [tessera, "hw", "shim", "arm", "--control", control, "--xid", "79", "--for", "60s"],
        check=True, capture_output=True, text=True, timeout=60,
    )
    newcomer = scenarios.trainer("train", 20, proof.armed_environment()).until("done", "failed", "start-failed")
    status = subprocess.run(
        [tessera, "hw", "shim", "status", "--control", control, "--json"],
        check=True, capture_output=True, text=True, timeout=60,
    )
    subprocess.run([tessera, "hw", "shim", "disarm", "--control", control], check=True, capture_output=True, timeout=60)
    end = scenarios.trainer("train", 20, proof.armed_environment()).until("done", "failed", "start-failed")
    proof.note("by command line", {"newcomer": newcomer, "status": status.stdout, "end": end})
    proof.check("armed by the command line: a new process sees no device", newcomer.get("runtime") == [100, 0])
    proof.check("disarmed by the command line: it trains", end.get("event") == "done")


def all_steps(proof, options):
    proof.step("machine", machine)
    proof.step("untouched", scenarios.untouched)
    with ThreadPoolExecutor(5) as pool:
        for xid in scenarios.CODES if not options.quick else (79, 31):
            pool.submit(proof.step, f"xid {xid}", scenarios.dies, xid)
        pool.submit(proof.step, "graph", scenarios.dies, 79, "graph")
        pool.submit(proof.step, "recovers", scenarios.recovers)
        pool.submit(proof.step, "other gpu", scenarios.other_gpu)
        pool.submit(proof.step, "by itself", scenarios.by_itself)
    if options.tessera is not None:
        proof.step("command line", by_command_line, options.tessera)
    programs = {}
    proof.step("compile", lambda _: programs.update(compiled.build(proof.folder)))
    if programs:
        proof.step("calls", compiled.compare_calls, programs)
        proof.step("call overhead", compiled.call_overhead, programs, 2 if options.quick else 5)
    proof.step("coverage", compiled.coverage, proof.library)
    proof.step("training overhead", scenarios.training_overhead, 1 if options.quick else 3)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", required=True)
    parser.add_argument("--tessera")
    parser.add_argument("--out", default=os.environ.get("OUT", "."))
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    proof = Proof(options)
    try:
        all_steps(proof, options)
    finally:
        shutil.rmtree(proof.folder, ignore_errors=True)
    failed = [check["name"] for check in proof.checks if not check["ok"]]
    print(f"{len(proof.checks) - len(failed)} of {len(proof.checks)} checks held; {proof.out}")
    raise SystemExit(1 if failed else 0)


main()
