import { formatQuantity } from "../../platform/plots/index.ts";
import type { Fact, Report, ReportItem } from "../../platform/reporters/index.ts";
import { formatDurationMs } from "../../platform/units/index.ts";
import type { Stability, StressEngine, StressResult } from "../../runtime/stress/index.ts";
import { hardwareItems } from "./hardware-items.ts";
import { countOf } from "./live-line.ts";
import { stressPlots } from "./plots.ts";

const mismatchesToldMax = 5;

/** What came of a stress run: whether all was right, how steady it was, how the hardware took it. */
export function stressReport(
  engine: StressEngine,
  result: StressResult,
  about: {
    readonly kind: string;
    readonly startedAtMs: number;
    readonly notes: readonly string[];
  },
): Report {
  const facts = Object.entries(engine.facts).map(([name, value]) => `${name} ${value}`);
  const { hardware, stability } = result;
  return {
    title: `Stress ${about.kind}`,
    subject: `${engine.device} (${engine.deviceName})`,
    startedAtMs: about.startedAtMs,
    durationMs: result.elapsedMs,
    notes: [engine.description, facts.join(", "), ...about.notes],
    sections: [
      { title: "Answers", items: [workItem(engine, result), ...answerItems(engine, result)] },
      ...(stability === null
        ? []
        : [{ title: "Steadiness", items: [steadinessItem(engine, stability)], judged: false }]),
      ...(hardware === null ? [] : [{ title: "Hardware", items: hardwareItems(hardware) }]),
    ],
    plots: stressPlots(engine, result.points),
  };
}

function workItem({ work }: StressEngine, result: StressResult): ReportItem {
  const { iterations, elapsedMs, failure } = result;
  const done = `${countOf(iterations, work.iteration)} in ${formatDurationMs(Math.round(elapsedMs))}`;
  const facts: readonly Fact[] = [
    { name: "iterations", value: iterations, unit: "", provenance: "measured" },
    { name: "elapsed", value: elapsedMs, unit: "ms", provenance: "measured" },
  ];
  if (failure !== null) {
    return {
      name: "work",
      status: "fail",
      reason: `The device failed after ${done}: ${failure}`,
      facts,
    };
  }
  if (iterations === 0) {
    return { name: "work", status: "unknown", reason: "Not one was finished.", facts };
  }
  return { name: "work", status: "pass", reason: `${done}, without an error.`, facts };
}

function answerItems(engine: StressEngine, result: StressResult): readonly ReportItem[] {
  const { iterations, wrong, mismatches } = result;
  const what = engine.work.iteration;
  const facts: readonly Fact[] = [
    { name: "wrong", value: wrong, unit: "", provenance: "measured" },
  ];
  if (!engine.verifies) {
    const reason = "Nobody looked at the results.";
    return [{ name: "results", status: "skipped", label: "not verified", reason, facts: [] }];
  }
  if (iterations === 0) {
    return [{ name: "results", status: "unknown", reason: "There is no result to verify.", facts }];
  }
  if (wrong === 0 && result.failure !== null) {
    const reason = "The device failed before the last results were verified.";
    return [{ name: "results", status: "unknown", reason, facts }];
  }
  if (wrong === 0) {
    const reason = `All of ${countOf(iterations, what)} were right.`;
    return [{ name: "results", status: "pass", reason, facts }];
  }
  const told = mismatches.slice(0, mismatchesToldMax).map(
    ({ iteration, place, detail }): ReportItem => ({
      name: `${what} ${formatQuantity(iteration, "")}`,
      status: "fail",
      reason: `wrong in ${place}: ${detail}.`,
      facts: [{ name: "iteration", value: iteration, unit: "", provenance: "measured" }],
    }),
  );
  const hint = "Run it again; if another run finds it too, take the device out of service.";
  const reason = `${countOf(wrong, "wrong result")} in ${countOf(iterations, what)}.`;
  return [{ name: "results", status: "fail", reason, hint, facts }, ...told];
}

function steadinessItem({ work }: StressEngine, stability: Stability): ReportItem {
  const unit = `${work.unit}/s`;
  const { mean, p01, p50, p99, variation, drift } = stability;
  const rate = (value: number) => formatQuantity(value, unit);
  const percent = (share: number | null) => (share === null ? "unknown" : signedPercent(share));
  const fact = (name: string, value: number | null, of: string): Fact[] =>
    value === null ? [] : [{ name, value, unit: of, provenance: "measured" }];
  return {
    name: "rate",
    status: "skipped",
    label: "measured",
    reason: `${rate(mean)} on average; ${rate(p01)} at the slowest 1 %, ${rate(p50)} in the middle, ${rate(p99)} at the fastest 1 %; variation ${percent(variation)}, change from start to end ${percent(drift)}.`,
    facts: [
      ...fact("mean", mean, unit),
      ...fact("p01", p01, unit),
      ...fact("p50", p50, unit),
      ...fact("p99", p99, unit),
      ...fact("variation", variation === null ? null : 100 * variation, "%"),
      ...fact("drift", drift === null ? null : 100 * drift, "%"),
    ],
  };
}

function signedPercent(share: number): string {
  return `${(100 * share).toFixed(Math.abs(share) < 0.01 ? 2 : 1)} %`;
}
