import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { load, save } from "../../src/runtime/checkpoint/index.ts";
import { rand, type Tensor } from "../../src/runtime/tensor/index.ts";
import { referenceFolder } from "../../test/support/reference-safetensors.ts";
import type { Bench, BenchMetric } from "../bench.ts";
import { median } from "../lib/median.ts";
import { startPythonPeer } from "./python-peer.ts";

const clock = createRealClock();
const full = { tensors: 32, tensorBytes: 128 * 2 ** 20, turns: 3 };
const small = { tensors: 4, tensorBytes: 4 * 2 ** 20, turns: 1 };

export const bench: Bench = {
  name: "checkpoint/save-load",
  description:
    "Saves and loads 4 GiB with every byte verified, against Python's safetensors with a SHA-256 of the file, on the same disk, both durable before they count, in turns.",
  requires: async () => {
    const found = await referenceFolder();
    return "missing" in found ? found.missing.trim() : undefined;
  },
  run: async ({ log, quick }) => {
    const size = quick ? small : full;
    const folder = await mkdtemp(join(tmpdir(), "tessera-bench-"));
    const peer = await startPythonPeer({ folder, ...size });
    try {
      const model = stateOf(size);
      const turns: Turn[] = [];
      for (let turn = 0; turn < size.turns; turn++) {
        turns.push(await measure(model, { root: join(folder, "root"), peer }));
        log(
          Object.entries(turns.at(-1) ?? {})
            .map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`)
            .join(", "),
        );
      }
      return { metrics: metricsOf(turns, size.tensors * size.tensorBytes), notes };
    } finally {
      await peer.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const notes = [
  "Python hashes the file after it has written it and before it reads it, on one thread, as scripts around safetensors do; ours also takes the digests of whole tensors when it saves",
  "files stay in the page cache between a save and the load after it, for both",
];

interface Turn {
  readonly saveMs: number;
  readonly loadMs: number;
  readonly pythonSaveMs: number;
  readonly pythonLoadMs: number;
}

async function measure(
  model: Readonly<Record<string, Tensor>>,
  {
    root,
    peer,
  }: { readonly root: string; readonly peer: Awaited<ReturnType<typeof startPythonPeer>> },
): Promise<Turn> {
  const pythonSaveMs = await peer.save();
  const pythonLoadMs = await peer.load();
  const saveMs = await took(() => save("bench", { model }, { root }));
  const loadMs = await took(() => load("bench", { root, onDamage: "throw" }));
  await rm(root, { recursive: true });
  return { saveMs, loadMs, pythonSaveMs, pythonLoadMs };
}

function stateOf({ tensors, tensorBytes }: typeof full): Readonly<Record<string, Tensor>> {
  const made = Array.from({ length: tensors }, (_, number) => [
    `w${number}`,
    rand([tensorBytes / 4 / 1024, 1024], { dtype: "f32", seed: number }),
  ]);
  return Object.fromEntries(made) as Record<string, Tensor>;
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const startMs = clock.monotonicMs();
  await work();
  return clock.monotonicMs() - startMs;
}

function metricsOf(turns: readonly Turn[], bytes: number): readonly BenchMetric[] {
  const of = (choose: (turn: Turn) => number) => median(turns.map(choose));
  const ratio = (name: string, value: number, limit?: number): BenchMetric => ({
    name,
    value,
    unit: "x",
    provenance: "measured",
    better: "higher",
    ...(limit === undefined ? {} : { limit }),
  });
  const rate = (name: string, choose: (turn: Turn) => number): BenchMetric => ({
    name,
    value: bytes / of(choose) / 1e6,
    unit: "GB/s",
    provenance: "measured",
    better: "higher",
  });
  return [
    ratio(
      "save and load, Python's time to ours",
      of((turn) => (turn.pythonSaveMs + turn.pythonLoadMs) / (turn.saveMs + turn.loadMs)),
      1,
    ),
    ratio(
      "save",
      of((turn) => turn.pythonSaveMs / turn.saveMs),
    ),
    ratio(
      "load",
      of((turn) => turn.pythonLoadMs / turn.loadMs),
    ),
    rate("save, ours", (turn) => turn.saveMs),
    rate("load, ours", (turn) => turn.loadMs),
    rate("save, Python", (turn) => turn.pythonSaveMs),
    rate("load, Python", (turn) => turn.pythonLoadMs),
  ];
}
