import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";
import type { GpuTelemetry } from "../../../src/runtime/cuda/telemetry/index.ts";
import { watchGpu } from "../../../src/runtime/stress/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

const gpu = { uuid: "GPU-1", pciBusId: "0000:19:00.0" };

function telemetry(): GpuTelemetry {
  let eccCorrected = 3;
  return {
    gpus: [],
    read: () => ({
      atMs: 0,
      smClockMhz: 1700,
      memoryClockMhz: null,
      powerW: 690,
      temperatureC: 60,
      memoryTemperatureC: null,
      utilizationPercent: 100,
      memoryUsedBytes: 1,
      throttle: ["sw-power-cap"],
    }),
    counters: () => ({
      eccCorrected: eccCorrected++,
      eccUncorrected: 0,
      remappedRowsCorrectable: 0,
      remappedRowsUncorrectable: 0,
      remapPending: false,
      remapFailed: false,
      retiredPages: null,
      pcieReplays: 0,
      nvlinkErrors: 0,
      energyMj: 1,
    }),
    processes: () => [],
    close: () => {},
    [Symbol.dispose]: () => {},
  };
}

const line = (sequence: number, text: string) => `6,${sequence},1000,-;${text}\n`;

describe("what is read of a GPU beside the work", () => {
  it("is its readings, how its counters grew, and the XIDs of this GPU alone", async () => {
    const kmsgPath = join(await tempDir(), "kmsg");
    const old = line(1, "NVRM: Xid (PCI:0000:19:00): 13, before the run");
    await writeFile(kmsgPath, old);
    const clock = new VirtualClock();
    const watch = watchGpu({ telemetry: telemetry(), gpu, clock, kmsgPath });
    watch.begin();
    expect(watch.read()?.temperatureC).toBe(60);
    const other = line(2, "NVRM: Xid (PCI:0000:1a:00): 79, another GPU");
    await writeFile(kmsgPath, `${old}${other}${line(3, "NVRM: Xid (PCI:0000:19:00): 48, DBE")}`);
    await clock.advance(2000);
    const notes = await watch.end();
    expect(notes.summary.readings).toBeGreaterThan(3);
    expect(notes.summary.spreads.powerW?.max).toBe(690);
    expect(notes.changes).toMatchObject({ eccCorrected: 1, eccUncorrected: 0, retiredPages: null });
    expect(notes.xids.map(({ xid }) => xid)).toEqual([48]);
    expect(notes.unknown).toEqual([]);
  });

  it("is said to be unknown where the kernel log cannot be read", async () => {
    const kmsgPath = join(await tempDir(), "missing");
    const clock = new VirtualClock();
    const env = { PATH: "/nonexistent" };
    const watch = watchGpu({ telemetry: telemetry(), gpu, clock, kmsgPath, env });
    watch.begin();
    const { xids, unknown } = await watch.end();
    expect(xids).toEqual([]);
    expect(unknown.join()).toContain("kernel's log cannot be read");
  });

  it("is said to be unknown when the GPU does not answer at the end", async () => {
    const kmsgPath = join(await tempDir(), "kmsg");
    await writeFile(kmsgPath, "");
    const answering = telemetry();
    let isLost = false;
    const lost: GpuTelemetry = {
      ...answering,
      counters: (which) => {
        if (isLost) throw new Error("the GPU is lost");
        return answering.counters(which);
      },
    };
    const watch = watchGpu({ telemetry: lost, gpu, clock: new VirtualClock(), kmsgPath });
    watch.begin();
    isLost = true;
    const { changes, unknown } = await watch.end();
    expect(changes.eccUncorrected).toBeNull();
    expect(unknown).toEqual(["the GPU is lost"]);
  });

  it("reads nothing before it begins", () => {
    expect(watchGpu({ telemetry: telemetry(), gpu, clock: new VirtualClock() }).read()).toBeNull();
  });
});
