import type { LaneSpan, LanesPlot } from "../../../platform/plots/index.ts";
import { type PhaseName, phaseNames } from "./phases.ts";
import type { RecoveryRecord } from "./recovery-record.ts";
import type { RequestSample } from "./sampler.ts";

const phaseLabels: Readonly<Record<PhaseName, string>> = {
  detect: "detected",
  cordon: "cordoned",
  drain: "drained",
  reschedule: "rescheduled",
  serving: "serving again",
};

/** Points of the curve of success; an outage of a second must show in a test of minutes. */
const binsMax = 200;
const kinds = [{ name: "phase" }, { name: "fault in force", status: "fail" as const }];

/** What happened when, over the share of requests that succeeded. Seconds since the fault. */
export function recoveryPlot(record: RecoveryRecord): LanesPlot {
  const { injectedMs, endedMs } = record;
  const since = (ms: number) => (ms - injectedMs) / 1000;
  return {
    kind: "lanes",
    title: "Recovery",
    provenance: "measured",
    x: { label: "Since the fault", unit: "s", include: [0] },
    kinds,
    lanes: [
      {
        name: `XID ${record.xid}`,
        spans: [{ from: 0, to: since(endedMs), kind: 1, label: `node ${record.node}` }],
      },
      ...phaseLanes(record),
    ],
    curve: {
      y: { label: "Requests that succeeded", unit: "%", include: [0, 100] },
      series: [successCurve(record.samples, since)],
    },
  };
}

/** Each phase from the end of the one before it. */
function phaseLanes({ times }: RecoveryRecord): LanesPlot["lanes"] {
  let from = 0;
  return phaseNames.map((name) => {
    const at = times[name];
    const spans: LaneSpan[] = [];
    if (at !== null) {
      spans.push({ from: from / 1000, to: at / 1000, kind: 0, label: phaseLabels[name] });
      from = Math.max(from, at);
    }
    return { name: phaseLabels[name], spans };
  });
}

function successCurve(samples: readonly RequestSample[], since: (ms: number) => number) {
  const firstMs = samples[0]?.sentMs ?? 0;
  const lastMs = samples.at(-1)?.sentMs ?? 0;
  const binMs = Math.max(1000, (lastMs - firstMs) / binsMax);
  const bins = new Map<number, { ok: number; all: number }>();
  for (const { sentMs, outcome } of samples) {
    if (outcome === "unknown") continue;
    const at = Math.floor((sentMs - firstMs) / binMs);
    const bin = bins.get(at) ?? { ok: 0, all: 0 };
    bins.set(at, { ok: bin.ok + (outcome === "ok" ? 1 : 0), all: bin.all + 1 });
  }
  const places = [...bins.keys()].toSorted((a, b) => a - b);
  return {
    name: "success",
    x: places.map((at) => since(firstMs + (at + 0.5) * binMs)),
    y: places.map((at) => {
      const { ok, all } = bins.get(at) ?? { ok: 0, all: 1 };
      return (100 * ok) / all;
    }),
  };
}
