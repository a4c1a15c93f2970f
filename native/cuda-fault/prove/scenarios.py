"""What is shown with PyTorch: nothing changes while disarmed, each XID's error while armed, and a way back."""
import statistics

from workers import environment, trainer

# XID: what work in flight answers, what a new process answers (0: it starts), as src/hardware/xid has it.
CODES = {
    79: (999, 100),
    48: (214, 214),
    94: (226, 0),
    74: (220, 220),
    95: (214, 214),
    119: (999, 999),
    43: (719, 0),
    31: (700, 0),
    46: (702, 702),
}


def untouched(proof):
    """The same losses, bit for bit, with the shim preloaded and disarmed."""
    both = [trainer("train", 100, env) for env in (environment(), proof.armed_environment())]
    plain, shimmed = (worker.until("done", "failed", "start-failed") for worker in both)
    proof.note("untouched", {"without": plain, "with": shimmed})
    proof.check("training is the same with the shim disarmed", plain == shimmed and plain.get("event") == "done")


def _has_code(found, code):
    answers = [value for _, value in found.get("codes", [])]
    return answers == [code, code, code, 0, code]


def _all_fail(found):
    return bool(found.get("then")) and all(entry["error"] is not None for entry in found["then"])


def dies(proof, xid, mode="train"):
    """Armed in the middle of training: this XID's code, for good; another process starts and ends as it should."""
    in_flight, on_init = CODES[xid]
    # A block of its own: several of these run at the same time.
    control, env = proof.own_block()
    victim = trainer(mode, 1_000_000, env)
    before = victim.until("step", "failed", "start-failed")
    control.arm(xid, in_flight, on_init)
    failed = victim.until("failed", "done")
    newcomer = None
    if mode == "train":
        other = trainer("train", 40, env)
        newcomer = other.until("done", "failed", "start-failed")
        other.end()
    control.disarm()
    victim.tell()
    after = victim.until("after-disarming")
    code = victim.code()
    proof.note(f"xid {xid} {mode}", {"before": before, "failed": failed, "newcomer": newcomer, "after": after, "exit": code})
    name = f"XID {xid} ({mode})"
    proof.check(f"{name}: trained before", before.get("event") == "step")
    proof.check(f"{name}: gets {in_flight} and keeps it", failed.get("event") == "failed" and _has_code(failed, in_flight))
    proof.check(f"{name}: nothing works in that process", _all_fail(failed))
    proof.check(f"{name}: also not after disarming", _has_code(after, in_flight) and _all_fail(after))
    proof.check(f"{name}: that process ends", code == 4)
    if newcomer is not None:
        wanted = "start-failed" if on_init != 0 else "failed"
        problem = newcomer.get("event") in (wanted, "start-failed")
        proof.check(f"{name}: a new process while armed does not train", problem)
        if xid == 79:
            # torch.cuda.device_count() asks NVML, which the shim leaves alone.
            no_device = newcomer.get("available") is False and newcomer.get("runtime") == [100, 0]
            proof.check(f"{name}: a new process sees no device", no_device)


def recovers(proof):
    """A process that starts after the fault was disarmed."""
    control, env = proof.own_block()
    control.arm(79, *CODES[79])
    control.disarm()
    end = trainer("train", 60, env).until("done", "failed", "start-failed")
    proof.note("after all", end)
    proof.check("a new process after disarming trains again", end.get("event") == "done")


def other_gpu(proof):
    """Armed for a GPU that this process does not use."""
    control, env = proof.own_block()
    worker = trainer("train", 200, env)
    worker.until("step", "failed", "start-failed")
    control.arm(79, *CODES[79], gpus=[7])
    end = worker.until("done", "failed")
    proof.note("armed for another GPU", end)
    proof.check("a fault of another GPU does not touch this one", end.get("event") == "done")


def by_itself(proof):
    """The end of a lease that nobody renews: a new process trains although nobody disarmed."""
    control, env = proof.own_block()
    control.arm(79, *CODES[79], for_s=1.0)
    end = trainer("train", 20, env).until("done", "start-failed", "failed")
    proof.note("past its time", end)
    proof.check("a fault past its time is none, though armed still", end.get("event") == "done")


def _figures(runs):
    """Of one kind of loop: medians of each process, by way; and what they say."""
    medians = {way: [statistics.median(run["seconds"]) for run in of_way] for way, of_way in runs.items()}
    without, shimmed = medians["without"], medians["with"]
    return {
        "seconds of a stretch, median of each process": medians,
        "steps of a stretch": runs["with"][0]["steps"],
        "ratio of the medians": statistics.median(shimmed) / statistics.median(without),
        "ratio of the least": min(shimmed) / min(without),
        "how far processes without the shim differ": max(without) / min(without),
        "calls that did not go straight through, a step": [run["slow calls a step"] for run in runs["with"]],
    }


def training_overhead(proof, rounds):
    """Without, with, with, without, and so on: a loop that keeps the GPU busy, and one bound by launches."""
    runs = {loop: {"without": [], "with": []} for loop in ("busy", "small")}
    for _ in range(rounds):
        for way in ("without", "with", "with", "without"):
            env = environment() if way == "without" else proof.armed_environment()
            event = trainer("timed", 0, env).until("timed", "failed", "start-failed")
            for loop, ways in runs.items():
                ways[way].append(event[loop])
    figures = {loop: _figures(ways) for loop, ways in runs.items()}
    print(f"  {figures}", flush=True)
    proof.note("training overhead", figures)
    busy, small = figures["busy"], figures["small"]
    ratio = busy["ratio of the medians"]
    proof.check("training takes at most 3 % longer with the shim", ratio <= 1.03, f"{ratio:.4f}")
    # Processes differ among themselves more than the shim costs: only more than that would tell anything.
    ratio, spread = small["ratio of the medians"], small["how far processes without the shim differ"]
    proof.check("a loop bound by launches: no slower than processes differ", ratio <= spread, f"{ratio:.4f} of {spread:.4f}")
    slow = max(small["calls that did not go straight through, a step"])
    proof.check("at most 20 calls a step are looked at more closely", slow <= 20, f"{slow:.2f}")
