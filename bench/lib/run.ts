import type { Clock } from "../../src/platform/time/clock.ts";
import { version } from "../../src/version.ts";
import type { Bench } from "../bench.ts";
import { compare, keepsLimit } from "./judge.ts";
import type { Machine } from "./machine.ts";
import { earlierValues, type StoredResult } from "./results.ts";
import { formatTable } from "./table.ts";

export interface RunContext {
  readonly quick: boolean;
  readonly clock: Clock;
  readonly machine: Machine;
  readonly commit: string | undefined;
  readonly earlier: readonly StoredResult[];
  /** Where the lines a person reads go. */
  readonly write: (line: string) => void;
}

export type BenchOutcome =
  | { readonly state: "skipped"; readonly reason: string }
  | { readonly state: "failed"; readonly error: unknown }
  | {
      readonly state: "done";
      readonly result: StoredResult;
      /** Metrics that break what we promise. */
      readonly broken: readonly string[];
    };

/** Runs one benchmark, prints its table and says how it went. Does not throw for the benchmark. */
export async function runBench(bench: Bench, context: RunContext): Promise<BenchOutcome> {
  context.write(`\n${bench.name}: ${bench.description}`);
  const reason = await bench.requires?.();
  if (reason !== undefined) {
    context.write(`  skipped: ${reason}`);
    return { state: "skipped", reason };
  }
  try {
    const log = (text: string) => context.write(`  ${text}`);
    const measured = await bench.run({ log, quick: context.quick });
    const result: StoredResult = {
      format: 1,
      bench: bench.name,
      at: new Date(context.clock.nowMs()).toISOString(),
      version,
      ...(context.commit === undefined ? {} : { commit: context.commit }),
      machine: context.machine,
      ...measured,
    };
    print(result, context);
    const broken = result.metrics.filter((metric) => !keepsLimit(metric)).map(({ name }) => name);
    return { state: "done", result, broken };
  } catch (error) {
    context.write(
      `  failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return { state: "failed", error };
  }
}

function print(result: StoredResult, { earlier, machine, quick, write }: RunContext): void {
  const rows = result.metrics.map((metric) => {
    // A quick run shows that the benchmark works; its numbers say nothing beside full ones.
    const of = { bench: result.bench, metric: metric.name, machine };
    return { metric, comparison: quick ? undefined : compare(metric, earlierValues(earlier, of)) };
  });
  write(formatTable(rows));
  for (const note of result.notes ?? []) write(`  note: ${note}`);
}
