import type { DlEngine, EngineTensor } from "../engine/engine.ts";
import type { Problem } from "../verify/style.ts";
import { type Bench, type CaseFigure, type CaseOutcome, corruptionIn } from "./case.ts";

/** A computation with its inputs in place. */
export interface Computation<T extends EngineTensor> {
  /** Computes all outputs from the inputs; the same bits every time. The first is the main one. */
  compute(engine: DlEngine<T>): Readonly<Record<string, T>>;
  /** What is wrong with outputs, beyond their bits being the same every time. */
  verify?(outputs: Readonly<Record<string, T>>): readonly Problem[];
  /** What is timed; `compute` when absent. */
  timed?(): void;
  readonly figure?: {
    readonly name: string;
    readonly unit: string;
    readonly higherIsBetter: boolean;
    fromMs(timeMs: number): number;
  };
}

/** How often. */
export interface Repeats {
  readonly repeats: number;
  /** Timed, after one that is not. */
  readonly iterations: number;
}

/**
 * Computes once and verifies; computes for time; computes again, on the now warm device, and compares
 * the bits with those of the first time.
 */
export async function runComputation<T extends EngineTensor>(
  computation: Computation<T>,
  bench: Bench<T>,
  { repeats, iterations }: Repeats,
): Promise<CaseOutcome> {
  const first = repeatOnce(computation, bench, 0);
  const problems: Problem[] = [...first.problems];
  const figures = await timeComputation(computation, bench, iterations);
  for (let repeat = 1; repeat < repeats; repeat++) {
    await bench.engine.settle(bench.signal);
    const again = repeatOnce(computation, bench, repeat);
    const names = Object.keys(first.digests);
    const other = names.find((name) => first.digests[name] !== again.digests[name]);
    if (other === undefined) continue;
    problems.push({
      style: "repeat",
      text: `repeat ${repeat + 1} of ${repeats} has other bits in ${other} than the first, from the same inputs`,
    });
    // What only the later repeat got wrong says where it is wrong.
    problems.push(
      ...again.problems.filter(({ text }) => !problems.some((known) => known.text === text)),
    );
  }
  return { problems, digests: first.digests, figures };
}

function repeatOnce<T extends EngineTensor>(
  computation: Computation<T>,
  bench: Bench<T>,
  repeat: number,
): Pick<CaseOutcome, "problems" | "digests"> {
  const corruption = corruptionIn(bench.corruption, repeat);
  return bench.engine.scope(() => {
    const altered = corruption?.kind === "altered-kernel";
    const outputs = computation.compute(altered ? bench.engine.altered() : bench.engine);
    const [main] = Object.values(outputs);
    if (corruption?.kind === "flip-bit" && main !== undefined) {
      bench.engine.flipBit(main, corruption.bit);
    }
    const digests = Object.fromEntries(
      Object.entries(outputs).map(([name, output]) => [name, bench.engine.digest(output)]),
    );
    return { digests, problems: computation.verify?.(outputs) ?? [] };
  });
}

async function timeComputation<T extends EngineTensor>(
  { figure, timed, compute }: Computation<T>,
  { engine, signal }: Bench<T>,
  iterations: number,
): Promise<Readonly<Record<string, CaseFigure>>> {
  if (figure === undefined) return {};
  const work = timed ?? (() => void compute(engine));
  const once = () => engine.scope(() => work());
  const [, ...timesMs] = await engine.timeEach(iterations + 1, once, signal);
  const samples = timesMs.map((timeMs) => figure.fromMs(timeMs));
  const { name, unit, higherIsBetter } = figure;
  return { [name]: { samples, unit, higherIsBetter } };
}
