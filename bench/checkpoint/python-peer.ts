import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { referenceFolder } from "../../test/support/reference-safetensors.ts";

/**
 * Makes random tensors, and for each line it reads saves them with safetensors, durably, with the
 * SHA-256 of the file beside them, or loads them and compares. Prints the seconds. Arguments: folder,
 * tensors, bytes of one.
 */
const program = `
import hashlib, json, os, sys, time
import numpy
from safetensors.numpy import load_file, save_file
folder, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
path = os.path.join(folder, "model.safetensors")
make = numpy.random.default_rng(1)
state = {f"w{i}": make.integers(0, 2**32, size // 4, dtype=numpy.uint32).view(numpy.float32) for i in range(count)}

def digest():
    hash = hashlib.sha256()
    with open(path, "rb", buffering=0) as file:
        while block := file.read(16 * 2**20):
            hash.update(block)
    return hash.hexdigest()

def save():
    save_file(state, path)
    with open(path, "rb") as file:
        os.fsync(file.fileno())
    with open(path + ".sha256", "w") as file:
        file.write(digest())
        file.flush()
        os.fsync(file.fileno())

def load():
    if digest() != open(path + ".sha256").read():
        raise SystemExit("another digest")
    found = load_file(path)
    if len(found) != count:
        raise SystemExit("another number of tensors")

print("ready", flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    save() if line.strip() == "save" else load()
    print(time.perf_counter() - start, flush=True)
`;

/** A Python process that saves and loads tensors of its own. */
export interface PythonPeer {
  save(): Promise<number>;
  load(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts it and waits until its tensors are there. All times are in milliseconds. */
export async function startPythonPeer(about: {
  readonly folder: string;
  readonly tensors: number;
  readonly tensorBytes: number;
}): Promise<PythonPeer> {
  const found = await referenceFolder();
  if ("missing" in found) throw new Error(found.missing);
  const args = [about.folder, String(about.tensors), String(about.tensorBytes)];
  const child = spawn("python3", ["-c", program, ...args], {
    env: { ...process.env, PYTHONPATH: found.folder },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error("Python ended before it answered");
    return value;
  };
  const ask = async (what: string): Promise<number> => {
    child.stdin.write(`${what}\n`);
    return 1000 * Number(await next());
  };
  await next();
  return {
    save: () => ask("save"),
    load: () => ask("load"),
    stop: () => {
      child.stdin.end();
      return ended;
    },
  };
}
