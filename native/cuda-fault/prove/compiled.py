"""What is shown with programs of our own: which calls answer as after a real error, and what one call costs."""
import os
import re
import subprocess
import tempfile

from workers import HERE, Worker, environment


def build(folder):
    """Programs by name; nvcc must be on the path or in /usr/local/cuda."""
    nvcc = "nvcc"
    if subprocess.run(["which", "nvcc"], capture_output=True, check=False).returncode != 0:
        nvcc = "/usr/local/cuda/bin/nvcc"
    programs = {}
    for name, source, runtime in (
        ("calls", "calls.cu", "shared"),
        ("calls-static", "calls.cu", "static"),
        ("overhead", "overhead.cu", "shared"),
        ("overhead-static", "overhead.cu", "static"),
    ):
        out = os.path.join(folder, name)
        root = os.path.dirname(os.path.dirname(subprocess.check_output(["which", nvcc], text=True).strip()))
        command = [nvcc, "-O2", "-std=c++17", "-arch=native", "-cudart", runtime, "-o", out]
        command += [os.path.join(HERE, source), "-Xlinker", f"-rpath={root}/lib64", "-ldl"]
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
        programs[name] = out
    return programs


def _answers(worker, go=None):
    """[(call, code)] of the calls program; `go` runs once it is ready."""
    answers = []
    while (line := worker.line(60)) is not None:
        name, _, code = line.rpartition(" ")
        if name == "ready":
            if go is not None:
                go()
            worker.tell()
            continue
        if name:
            answers.append((re.sub(r"\(.*", "", name), int(code)))
    worker.code()
    return answers


def compare_calls(proof, programs):
    """Every call after a real sticky error, and after ours of the same code."""
    report = {}
    for mode, xid in (("address", 31), ("trap", 43)):
        for program in ("calls", "calls-static"):
            real = _answers(Worker([programs[program], mode], environment()))
            worker = Worker([programs[program], "wait"], proof.armed_environment())
            ours = _answers(worker, lambda xid=xid: proof.arm(xid))
            proof.disarm()
            paired = [(a[0], a[1], b[1]) for a, b in zip(real, ours) if a[0] == b[0]]
            differences = [{"call": name, "real": a, "shim": b} for name, a, b in paired if a != b]
            report[f"{program} {mode}"] = {
                "compared": len(paired),
                "same": len(paired) - len(differences),
                "differences": differences,
                "real": real,
            }
            print(f"  {program} {mode}: {len(paired) - len(differences)} of {len(paired)} calls answer alike", flush=True)
            proof.check(f"{program} {mode}: all calls were compared", len(paired) == len(real) > 80)
            first = ours[0][1] if ours else None
            code = real[0][1] if real else None
            proof.check(f"{program} {mode}: the first error is the same", first == code and code not in (None, 0), f"{code} {first}")
    proof.note("calls after an error", report)


def call_overhead(proof, programs, rounds):
    import json

    report = {}
    for program in ("overhead", "overhead-static"):
        times = {"without": [], "with": [], "other": []}
        for _ in range(rounds):
            for name in times:
                env = environment() if name == "without" else proof.armed_environment()
                if name == "other":
                    proof.arm(79, gpus=[7])
                output = subprocess.check_output([programs[program]], env=env, text=True, timeout=60)
                proof.disarm()
                times[name].append(json.loads(output))
        calls = list(times["without"][0])
        least = {name: {call: min(run[call] for run in runs) for call in calls} for name, runs in times.items()}
        extra = {call: least["with"][call] - least["without"][call] for call in calls}
        report[program] = {"ns a call": least, "more with the shim, ns": extra}
        print(f"  {program}: ns more a call with the shim {extra}", flush=True)
        for call in ("cudaGetDevice", "cudaPeekAtLastError"):
            proof.check(f"{program}: {call} takes at most 20 ns longer", extra[call] <= 20, f"{extra[call]:.2f} ns")
    proof.note("overhead of a call", report)


def _names(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return {re.sub(r"@.*", "", line.split()[-1]) for line in done.stdout.splitlines() if line.strip()}


def coverage(proof, library):
    """CUDA functions that PyTorch links and the shim lets through unseen."""
    script = "import torch, os; print(os.path.dirname(torch.__file__))"
    import sys

    root = subprocess.check_output([sys.executable, "-c", script], text=True).strip()
    ours = _names(["nm", "-D", "--defined-only", library])
    wanted = re.compile(r"^(cuda[A-Z]\w+|cu[A-Z]\w+|__cudaLaunch\w+)$")
    unseen = {}
    for name in ("libtorch_cuda.so", "libc10_cuda.so", "libtorch_python.so", "libtorch_cuda_linalg.so"):
        used = {n for n in _names(["nm", "-D", "--undefined-only", os.path.join(root, "lib", name)]) if wanted.match(n)}
        unseen[name] = {"used": len(used), "not intercepted": sorted(used - ours)}
    proof.note("coverage", {"exported by the shim": len(ours), "PyTorch": unseen})


def temporary_folder():
    return tempfile.mkdtemp(prefix="tessera-prove-shim-")
