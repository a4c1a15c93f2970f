import { createRng } from "../../../src/platform/rng/index.ts";
import type { CheckRun, FigureSamples } from "../../../src/validation/classify/index.ts";

const startMs = Date.UTC(2026, 5, 1);
const dayMs = 86_400_000;

/** How one run of a small hand-made fleet differs from the others. */
export interface RunChange {
  /** What its samples are multiplied by. @default 1 */
  readonly factor?: number;
  /** Changes the samples of one figure. */
  readonly samples?: (usual: Float64Array) => Float64Array;
  readonly change?: (run: CheckRun) => CheckRun;
}

export interface SmallFleet {
  /** @default 20 */
  readonly nodes?: number;
  /** @default 3 */
  readonly turns?: number;
  /** @default 20 */
  readonly count?: number;
  /** @default "throughput" */
  readonly figure?: string;
  readonly sku?: string;
  readonly check?: string;
  /** The usual value. @default 100 */
  readonly level?: number;
  /** @default true */
  readonly higherIsBetter?: boolean;
  /** How a run differs; undefined for one like all others. */
  readonly odd?: (node: number, turn: number) => RunChange | undefined;
}

/** Runs of a fleet with 1 % noise; node by node, a run a day. */
export function smallFleet(options: SmallFleet = {}): CheckRun[] {
  const { nodes = 20, turns = 3, odd } = options;
  return Array.from({ length: nodes * turns }, (_, at) => {
    const node = Math.floor(at / turns);
    const turn = at % turns;
    return makeRun(options, { node, turn, change: odd?.(node, turn) ?? {} });
  });
}

function makeRun(
  options: SmallFleet,
  { node, turn, change }: { readonly node: number; readonly turn: number; change: RunChange },
): CheckRun {
  const { count = 20, figure = "throughput", level = 100, higherIsBetter = true } = options;
  const random = createRng("small-fleet").stream(node, turn);
  const noise = () => random.float() + random.float() + random.float() - 1.5;
  const own = level * (1 + 0.005 * noise()) * (change.factor ?? 1);
  const usual = Float64Array.from({ length: count }, () => own * (1 + 0.02 * noise()));
  const samples = change.samples?.(usual) ?? usual;
  const figures = new Map<string, FigureSamples>([
    [figure, { samples, higherIsBetter, unit: higherIsBetter ? "GB/s" : "ms" }],
  ]);
  const run: CheckRun = {
    node: `n${String(node).padStart(3, "0")}`,
    check: options.check ?? "throughput-test",
    sku: options.sku ?? "some-gpu",
    timestampMs: startMs + turn * dayMs + node * 600_000,
    completed: true,
    figures,
  };
  return change.change?.(run) ?? run;
}

/** The verdicts of one node, by time. */
export function ofNode<T>(runs: readonly CheckRun[], verdicts: readonly T[], node: number): T[] {
  const name = `n${String(node).padStart(3, "0")}`;
  return runs
    .map((run, at) => ({ run, verdict: verdicts[at] as T }))
    .filter(({ run }) => run.node === name)
    .toSorted((a, b) => a.run.timestampMs - b.run.timestampMs)
    .map(({ verdict }) => verdict);
}
