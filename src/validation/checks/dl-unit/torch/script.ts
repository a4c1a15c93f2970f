/**
 * What python3 runs for the engine `torch`: the kernels that production uses (cuDNN, flash attention,
 * cuBLAS through PyTorch) on one device. It reads the task as JSON from its first argument, writes
 * one JSON object a line, and fails where it cannot compute. It needs nothing but torch.
 */
export const torchScript = `
import ctypes, hashlib, json, sys, time
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

task = json.loads(sys.argv[1])
index, standard, iterations = task["index"], task["profile"] != "quick", task["iterations"]
on_gpu = task["device"] == "cuda"
device = torch.device("cuda", 0) if on_gpu else torch.device("cpu")
half = torch.float16 if on_gpu else torch.float32

torch.backends.cudnn.benchmark = False
torch.backends.cudnn.deterministic = True
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
torch.use_deterministic_algorithms(True, warn_only=True)


def say(**fields):
    print(json.dumps(fields), flush=True)


def digest(tensor):
    host = tensor.detach().contiguous().cpu()
    size = host.numel() * host.element_size()
    content = (ctypes.c_char * size).from_address(host.data_ptr()) if size else b""
    sha = hashlib.sha256(f"{host.dtype} {list(host.shape)}\\n".encode())
    sha.update(content)
    return "sha256:" + sha.hexdigest()


def seeded(seed, shape, dtype):
    maker = torch.Generator().manual_seed(seed)
    return (torch.rand(shape, generator=maker) * 2 - 1).to(dtype).to(device)


def size(small, large, on_cpu):
    return (large if standard else small) if on_gpu else on_cpu


def synchronize():
    if on_gpu:
        torch.cuda.synchronize()


def timed(work):
    samples = []
    work()
    synchronize()
    for _ in range(iterations):
        start = time.perf_counter()
        work()
        synchronize()
        samples.append((time.perf_counter() - start) * 1000)
    return samples


made = {}


def gradient_of(output, seed):
    # Made once: on the host it takes longer than the work on the GPU that is timed.
    key = (seed, tuple(output.shape), output.dtype)
    if key not in made:
        made[key] = seeded(seed, output.shape, output.dtype)
    return made[key]


def with_gradients(work, inputs, gradient_seed):
    leaves = [x.detach().clone().requires_grad_(x.is_floating_point()) for x in inputs]
    output = work(*leaves)
    output.backward(gradient_of(output, gradient_seed))
    gradients = {f"ofInput{at}": x.grad for at, x in enumerate(leaves) if x.grad is not None}
    return {"output": output, **gradients}


def near(found, expected, relative, absolute):
    wrong = ~torch.isclose(found.double(), expected.double(), rtol=relative, atol=absolute)
    count = int(wrong.sum())
    if count == 0:
        return []
    at = int(wrong.flatten().nonzero()[0])
    value, right = float(found.flatten()[at]), float(expected.flatten()[at])
    return [f"{count} of {found.numel()} elements are off; element {at} is {value}, and {right} in higher precision"]


def conv2d():
    n, c, side = size((16, 64, 56), (64, 256, 56), (1, 8, 14))
    x, w = seeded(1, (n, c, side, side), half), seeded(2, (c, c, 3, 3), half)
    return f"{n}x{c}x{side}x{side} k3", lambda: with_gradients(lambda a, b: F.conv2d(a, b, padding=1), (x, w), 3), None


def conv3d():
    n, c, depth, side = size((2, 32, 8, 28), (8, 64, 16, 56), (1, 4, 4, 8))
    x, w = seeded(1, (n, c, depth, side, side), half), seeded(2, (c, c, 3, 3, 3), half)
    return f"{n}x{c}x{depth}x{side}x{side} k3", lambda: with_gradients(lambda a, b: F.conv3d(a, b, padding=1), (x, w), 3), None


def attention():
    b, h, s, d = size((1, 16, 2048, 128), (4, 32, 4096, 128), (1, 2, 64, 32))
    kind = torch.bfloat16 if on_gpu else torch.float32
    q, k, v = (seeded(at, (b, h, s, d), kind) for at in (1, 2, 3))

    def check(outputs):
        scores = (q[0, 0].double() @ k[0, 0].double().T) / d ** 0.5
        scores = scores.masked_fill(torch.ones(s, s, device=device).triu(1).bool(), float("-inf"))
        return near(outputs["output"][0, 0], scores.softmax(-1) @ v[0, 0].double(), 1.6e-2, 3e-3)

    def attend(a, b_, c):
        return F.scaled_dot_product_attention(a, b_, c, is_causal=True)

    def work():
        if not on_gpu:
            return with_gradients(attend, (q, k, v), 4)
        # Its backward pass adds in a fixed order only when determinism is demanded, not just wished for.
        torch.use_deterministic_algorithms(True)
        try:
            with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
                return with_gradients(attend, (q, k, v), 4)
        finally:
            torch.use_deterministic_algorithms(True, warn_only=True)

    return f"{b}x{h}x{s}x{d} causal", work, check


def norms():
    side = size(4096, 8192, 64)
    x = seeded(1, (side, side), torch.float32)
    gain = seeded(2, (side,), torch.float32)

    def work():
        layer = with_gradients(lambda a, g: F.layer_norm(a, (side,), g), (x, gain), 3)
        batch = with_gradients(lambda a, g: F.batch_norm(a, None, None, g, None, training=True), (x, gain), 4)
        return {"layer": layer["output"], "layerOfInput": layer["ofInput0"], "batch": batch["output"], "batchOfInput": batch["ofInput0"]}

    def check(outputs):
        wide = F.layer_norm(x[:4].double(), (side,), gain.double())
        return near(outputs["layer"][:4], wide, 1.3e-6, 1e-5)

    return f"{side}x{side} f32", work, check


def recurrent():
    batch, width, steps = size((128, 512, 32), (512, 1024, 64), (4, 16, 8))
    torch.manual_seed(5)
    layer = torch.nn.LSTM(width, width).to(device=device, dtype=half)
    x = seeded(1, (steps, batch, width), half)
    return f"LSTM {batch}x{width}, {steps} steps", lambda: with_gradients(lambda a: layer(a)[0], (x,), 2), None


def order():
    length = size(2 ** 24, 2 ** 28, 2 ** 12)
    values = (torch.arange(length, dtype=torch.int64) * 2654435761 % 2147483647).to(torch.int32).to(device)

    def check(outputs):
        rising = outputs["sorted"]
        problems = [] if bool((rising[1:] >= rising[:-1]).all()) else ["sorted integers do not rise"]
        if int(rising.long().sum()) != int(values.long().sum()):
            problems.append("sorting changed the integers")
        if not torch.equal(outputs["largest"], rising.flip(0)[: len(outputs["largest"])]):
            problems.append("the largest integers are not the last of the sorted ones")
        if int(outputs["sums"][-1]) != int((values & 15).long().sum()):
            problems.append("the running sum does not end at the sum")
        return problems

    def work():
        return {"sorted": values.sort().values, "largest": values.topk(64).values, "sums": (values & 15).long().cumsum(0)}

    return f"{length} i32", work, check


def product():
    side = size(4096, 8192, 64)
    dtype = torch.bfloat16 if on_gpu else torch.float32
    numbers = torch.arange(side * side, dtype=torch.int64)
    a = ((numbers * 7919 // 13) % 3 - 1).view(side, side)
    b = ((numbers * 104729 // 17) % 3 - 1).view(side, side)
    rows = [0, side // 3, side - 1]
    left, right = a.to(dtype).to(device), b.to(dtype).to(device)
    exact = a[rows] @ b

    def check(outputs):
        wide = outputs["output"][rows].float().cpu()
        expected = exact.to(dtype).float()
        wrong = int((wide != expected).sum())
        return [f"{wrong} elements of an integer product are not what integer arithmetic gives"] if wrong else []

    return f"{side}x{side}x{side} {str(dtype).split('.')[1]}", lambda: {"output": left @ right}, check


cases = {"torch-gemm": product, "torch-conv2d": conv2d, "torch-conv3d": conv3d, "torch-attention": attention,
         "torch-norms": norms, "torch-lstm": recurrent, "torch-order": order}
exact_cases = {"torch-gemm", "torch-order"}

name = f"gpu {index}" if on_gpu else f"process {index}"
properties = torch.cuda.get_device_properties(0) if on_gpu else None
described = {"name": name, "index": index, "model": properties.name if on_gpu else "cpu"}
if on_gpu and getattr(properties, "uuid", None) is not None:
    described["uuid"] = "GPU-" + str(properties.uuid)
versions = {"torch": torch.__version__, "cuda": str(torch.version.cuda), "cudnn": str(torch.backends.cudnn.version())}
say(kind="device", device=described, versions=versions)

for case, prepare in cases.items():
    started = time.perf_counter()
    shape, work, check = prepare()
    say(kind="begin", key=f"{case} {shape}", round=0)
    outputs = work()
    digests = {key: digest(value) for key, value in outputs.items()}
    style = "exact" if case in exact_cases else "tolerance"
    problems = [{"style": style, "text": text} for text in (check(outputs) if check else [])]
    del outputs
    samples = timed(work)
    again = {key: digest(value) for key, value in work().items()}
    for key, value in digests.items():
        if again[key] != value:
            problems.append({"style": "repeat", "text": f"computed again, {key} has other bits"})
            break
    figure = case.replace("-", "_") + "_ms"
    styles = ["repeat", "golden"] + ([style] if check else [])
    say(kind="case", case={
        "name": case, "key": f"{case} {shape}", "round": 0, "styles": styles, "problems": problems,
        "digests": digests, "figures": {figure: {"samples": samples, "unit": "ms", "higherIsBetter": False}},
        "wallMs": round((time.perf_counter() - started) * 1000)})
    made.clear()
    if on_gpu:
        torch.cuda.empty_cache()
say(kind="done")
`;
