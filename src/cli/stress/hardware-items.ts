import { formatQuantity } from "../../platform/plots/index.ts";
import type { Fact, ReportItem } from "../../platform/reporters/index.ts";
import { xidBlame } from "../../runtime/cuda/telemetry/index.ts";
import type { HardwareNotes } from "../../runtime/stress/index.ts";

/** Reasons that say something is wrong around the GPU; a power cap at full load is usual. */
const badReasons = ["hw-slowdown", "hw-thermal", "sw-thermal", "hw-power-brake"] as const;

/** What must not grow during a run, by the name of its counter. */
const fatalCounters = {
  eccUncorrected: "uncorrected ECC errors",
  remappedRowsUncorrectable: "rows of memory remapped after uncorrectable errors",
} as const;
const watchedCounters = {
  eccCorrected: "corrected ECC errors",
  remappedRowsCorrectable: "rows of memory remapped",
  retiredPages: "retired pages",
  pcieReplays: "PCIe replays",
  nvlinkErrors: "NVLink errors",
} as const;

/** What the hardware said of itself, judged: errors, and what slowed it down. */
export function hardwareItems(notes: HardwareNotes): readonly ReportItem[] {
  return [errorsItem(notes), clocksItem(notes)];
}

function errorsItem({ changes, xids, unknown }: HardwareNotes): ReportItem {
  const name = "hardware errors";
  const grown = (names: Partial<Record<keyof typeof changes, string>>) =>
    Object.entries(names).flatMap(([counter, what]) => {
      const by = changes[counter as keyof typeof changes];
      return typeof by !== "number" || by === 0 ? [] : [`${formatQuantity(by, "")} ${what}`];
    });
  const named = (isHardware: boolean) =>
    xids
      .filter(({ xid }) => (xidBlame(xid) === "hardware") === isHardware)
      .map(({ xid, text }) => `XID ${xid} in the kernel log (${text})`);
  const facts = Object.entries(changes).flatMap(([counter, by]) =>
    typeof by === "number" ? [factOf(counter, by, "")] : [],
  );
  const left = unknown.length === 0 ? "" : ` Not read: ${unknown.join("; ")}.`;
  const fatal = [...grown(fatalCounters), ...named(true)];
  if (fatal.length > 0) return { name, status: "fail", reason: `${fatal.join("; ")}.`, facts };
  const remarks = [...grown(watchedCounters), ...named(false)];
  if (remarks.length > 0) {
    return { name, status: "warn", reason: `${remarks.join("; ")}.${left}`, facts };
  }
  if (changes.eccUncorrected === null) {
    const reason = `The GPU does not tell its ECC errors.${left}`;
    return { name, status: "skipped", label: "not read", reason, facts };
  }
  return { name, status: "pass", reason: `No counter of errors moved.${left}`, facts };
}

function clocksItem({ summary }: HardwareNotes): ReportItem {
  const name = "clocks and heat";
  const { spreads, throttleMs, durationMs, readings } = summary;
  const facts = [
    ...Object.entries(spreads).flatMap(([gauge, spread]) =>
      spread === null
        ? []
        : (["min", "median", "max"] as const).map((which) =>
            factOf(`${gauge}.${which}`, spread[which], ""),
          ),
    ),
    ...Object.entries(throttleMs).map(([reason, ms]) =>
      factOf(`throttle.${reason}`, shareOf(ms, durationMs), "%"),
    ),
    factOf("slowed", shareOf(summary.slowedMs, durationMs), "%"),
  ];
  if (readings === 0) {
    return { name, status: "skipped", label: "not read", reason: "Nothing was read.", facts };
  }
  const { temperatureC, powerW, smClockMhz } = spreads;
  const told = [
    temperatureC && `up to ${Math.round(temperatureC.max)} °C`,
    powerW && `${Math.round(powerW.median)} W`,
    smClockMhz && `${Math.round(smClockMhz.min)} to ${Math.round(smClockMhz.max)} MHz`,
    ...Object.entries(throttleMs)
      .filter(([reason]) => reason !== "gpu-idle")
      .map(
        ([reason, ms]) => `${reason} ${formatQuantity(shareOf(ms, durationMs), "%")} of the time`,
      ),
  ].filter((text) => typeof text === "string");
  const reason = `${told.join(", ") || "Nothing was told"}.`;
  const isBad = badReasons.some((of) => (throttleMs[of] ?? 0) > 0);
  if (!isBad) return { name, status: "pass", reason, facts };
  const hint = "Look at the cooling and the power supply of this node.";
  return { name, status: "warn", reason, hint, facts };
}

function factOf(name: string, value: number, unit: string): Fact {
  return { name, value, unit, provenance: "measured" };
}

function shareOf(ms: number, ofMs: number): number {
  return ofMs > 0 ? (100 * ms) / ofMs : 0;
}
