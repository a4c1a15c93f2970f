import type { LinesPlot, MaybeNumber, Plot } from "../../platform/plots/index.ts";
import type { GpuReading } from "../../runtime/cuda/telemetry/telemetry.ts";
import { ratesOver, type StressEngine, type TimePoint } from "../../runtime/stress/index.ts";

/** The run over time: its rate, and what the device said of itself. */
export function stressPlots(engine: StressEngine, points: readonly TimePoint[]): readonly Plot[] {
  const { amount, unit } = engine.work;
  const rates = ratesOver(points, amount);
  const rate: LinesPlot = {
    kind: "lines",
    title: "Rate over time",
    provenance: "measured",
    x: { label: "Time", unit: "ms", include: [0] },
    y: { label: "Rate", unit: `${unit}/s`, include: [0] },
    series: [{ name: engine.device, x: rates.map((p) => p.atMs), y: rates.map((p) => p.rate) }],
  };
  const gauges = [
    gauge(points, "Temperature over time", "°C", {
      GPU: (reading) => reading.temperatureC,
      memory: (reading) => reading.memoryTemperatureC,
    }),
    gauge(points, "Power over time", "W", { GPU: (reading) => reading.powerW }),
    gauge(points, "Clock over time", "MHz", { SM: (reading) => reading.smClockMhz }),
  ];
  return [rate, ...gauges.filter((plot) => plot !== undefined)];
}

/** One plot of readings; none when the device did not tell a single value. */
function gauge(
  points: readonly TimePoint[],
  title: string,
  unit: string,
  of: Readonly<Record<string, (reading: GpuReading) => MaybeNumber>>,
): LinesPlot | undefined {
  const x = points.map(({ atMs }) => atMs);
  const series = Object.entries(of)
    .map(([name, value]) => {
      const y = points.map(({ reading }) => (reading === null ? null : value(reading)));
      return { name, x, y };
    })
    .filter(({ y }) => y.some((value) => value !== null));
  if (series.length === 0) return undefined;
  return {
    kind: "lines",
    title,
    provenance: "measured",
    x: { label: "Time", unit: "ms", include: [0] },
    y: { label: title.split(" ", 1)[0] ?? title, unit },
    series,
  };
}
