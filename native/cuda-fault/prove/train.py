"""A small training loop on one GPU. Says what happens in lines of JSON; goes on when told on its input."""
import ctypes
import json
import os
import sys
import time


def say(**event):
    print(json.dumps(event), flush=True)


def describe(error):
    text = str(error).strip().split("\n")[0]
    return {"type": type(error).__name__, "text": text[:300], "code": getattr(error, "error_code", None)}


def runtime_library():
    """The libcudart of this process, looked up by name as a program does that does not link it."""
    with open("/proc/self/maps", encoding="utf8") as maps:
        paths = {line.split()[-1] for line in maps if "libcudart" in line}
    return ctypes.CDLL(sorted(paths)[0]) if paths else None


def devices_of_runtime():
    """What cudaGetDeviceCount answers, and the number it gives."""
    library = runtime_library()
    if library is None:
        return None
    count = ctypes.c_int(-1)
    return [library.cudaGetDeviceCount(ctypes.byref(count)), count.value]


def codes_now():
    library = runtime_library()
    if library is None:
        return []
    work, peek, last = "cudaDeviceSynchronize", "cudaPeekAtLastError", "cudaGetLastError"
    # As in CUDA the error is forgotten when it was asked for, and comes back with the next call.
    return [[name, getattr(library, name)()] for name in (work, peek, last, last, work)]


def attempt(torch):
    """Things a program might still try after an error."""
    found = []
    for name, work in {
        "synchronize": lambda: torch.cuda.synchronize(),
        "allocate": lambda: torch.ones(1 << 20, device="cuda"),
        "compute and read": lambda: float((torch.ones(4, device="cuda") * 2).sum().item()),
    }.items():
        try:
            work()
            found.append({"what": name, "error": None})
        except Exception as error:
            found.append({"what": name, "error": describe(error)})
    return found


class Loop:
    def __init__(self, torch, use_graph):
        self.torch = torch
        torch.manual_seed(7)
        layers = [torch.nn.Linear(256, 512), torch.nn.GELU(), torch.nn.Linear(512, 256), torch.nn.LayerNorm(256)]
        self.model = torch.nn.Sequential(*layers, torch.nn.Linear(256, 10)).cuda()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3, capturable=use_graph)
        self.x = torch.randn(512, 256).cuda()
        self.y = torch.randint(0, 10, (512,)).cuda()
        self.graph = None
        self.loss = None
        if use_graph:
            self.capture()

    def plain_step(self):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.torch.nn.functional.cross_entropy(self.model(self.x), self.y)
        loss.backward()
        self.optimizer.step()
        return loss

    def capture(self):
        torch = self.torch
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.plain_step()
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.loss = self.plain_step()

    def step(self):
        if self.graph is None:
            return self.plain_step()
        self.graph.replay()
        return self.loss


def start(mode):
    try:
        import torch

        loop = Loop(torch, mode == "graph")
        torch.cuda.synchronize()
        return torch, loop
    except Exception as error:
        import torch

        state = {"available": None, "count": None}
        try:
            state = {"available": torch.cuda.is_available(), "count": torch.cuda.device_count()}
        except Exception as second:
            state["second"] = describe(second)
        say(event="start-failed", error=describe(error), runtime=devices_of_runtime(), **state)
        os._exit(5)


def slow_calls():
    """How many calls the shim looked at more closely so far; None without it."""
    library = os.environ.get("LD_PRELOAD")
    if not library:
        return None
    return ctypes.c_uint64.in_dll(ctypes.CDLL(library), "tessera_cuda_fault_slow_calls").value


class BusyLoop:
    """Steps of some ten milliseconds that the GPU computes: what training is."""

    def __init__(self, torch):
        torch.manual_seed(7)
        layers = [torch.nn.Linear(4096, 4096, bias=False) for _ in range(8)]
        self.model = torch.nn.Sequential(*layers).cuda().bfloat16()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-4, fused=True)
        self.x = torch.randn(8192, 4096, device="cuda", dtype=torch.bfloat16)

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.model(self.x).float().square().mean()
        loss.backward()
        self.optimizer.step()
        return loss


def stretches(torch, loop, count, steps):
    """Seconds of each of several stretches of so many steps, and slow calls a step."""
    for _ in range(20):
        loop.step()
    torch.cuda.synchronize()
    before = slow_calls()
    seconds = []
    for _ in range(count):
        began = time.perf_counter()
        for _ in range(steps):
            loop.step()
        torch.cuda.synchronize()
        seconds.append(time.perf_counter() - began)
    slow = None if before is None else (slow_calls() - before) / (count * steps)
    return {"seconds": seconds, "steps": steps, "slow calls a step": slow}


def timed(torch, small):
    found = {"small": stretches(torch, small, 12, 100), "busy": stretches(torch, BusyLoop(torch), 5, 50)}
    say(event="timed", **found)


def run(torch, loop, steps_max):
    losses = []
    for step in range(steps_max):
        losses.append(float(loop.step().item()))
        if step % 20 == 19:
            say(event="step", step=step + 1, loss=losses[-1])
    say(event="done", steps=steps_max, first=losses[0], last=losses[-1], losses=losses[:: max(1, steps_max // 10)])


def main():
    mode, steps = sys.argv[1], int(sys.argv[2])
    torch, loop = start(mode)
    say(event="started", torch=torch.__version__, device=torch.cuda.get_device_name(0))
    try:
        if mode == "timed":
            timed(torch, loop)
        else:
            run(torch, loop, steps)
    except Exception as error:
        say(event="failed", error=describe(error), codes=codes_now(), then=attempt(torch))
        sys.stdin.readline()
        say(event="after-disarming", codes=codes_now(), then=attempt(torch))
        sys.exit(4)


main()
