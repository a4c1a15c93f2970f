import type { JsonObject } from "../../../platform/store/index.ts";
import type { CounterChanges, TelemetrySummary } from "../../../runtime/cuda/telemetry/index.ts";

/** What of a GPU's readings explains a case: least, median and most, and what grew meanwhile. */
export function caseTelemetry(
  { readings, spreads, slowedMs, throttleMs }: TelemetrySummary,
  changes: CounterChanges | undefined,
): JsonObject {
  const shown = (["smClockMhz", "powerW", "temperatureC", "memoryTemperatureC"] as const).flatMap(
    (name) => {
      const spread = spreads[name];
      if (spread === null) return [];
      const { min, median, max } = spread;
      return [[name, [min, median, max].map((value) => Math.round(value))] as const];
    },
  );
  const grown = Object.entries(changes ?? {}).filter(
    ([name, value]) => name !== "energyMj" && value !== null && value !== 0 && value !== false,
  );
  return {
    readings,
    ...Object.fromEntries(shown),
    slowedMs: Math.round(slowedMs),
    ...(slowedMs > 0 ? { throttle: throttleMs } : {}),
    ...(grown.length === 0 ? {} : { grown: Object.fromEntries(grown) }),
  };
}
