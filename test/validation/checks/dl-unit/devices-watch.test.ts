import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../../src/platform/time/virtual-clock.ts";
import type {
  GpuCounters,
  GpuReading,
  GpuTelemetry,
  XidEvent,
} from "../../../../src/runtime/cuda/telemetry/index.ts";
import { watchDevices } from "../../../../src/validation/checks/dl-unit/devices-watch.ts";

const device = {
  name: "gpu 0",
  index: 0,
  model: "NVIDIA H200",
  uuid: "GPU-1",
  pciBusId: "0000:19:00.0",
};

const quiet: GpuCounters = {
  eccCorrected: 0,
  eccUncorrected: 0,
  remappedRowsCorrectable: 0,
  remappedRowsUncorrectable: 0,
  remapPending: false,
  remapFailed: false,
  retiredPages: 0,
  pcieReplays: 0,
  nvlinkErrors: 0,
  energyMj: 0,
};

/** A GPU whose counters are whatever the test says now. */
function scripted(clock: VirtualClock) {
  const state = { counters: quiet, powerW: 100, closed: 0 };
  const read = (): GpuReading => ({
    atMs: clock.nowMs(),
    smClockMhz: 1980,
    memoryClockMhz: 3201,
    powerW: state.powerW,
    temperatureC: 60,
    memoryTemperatureC: null,
    utilizationPercent: 100,
    memoryUsedBytes: 1,
    throttle: state.powerW > 600 ? ["sw-power-cap"] : [],
  });
  const close = () => void state.closed++;
  const telemetry: GpuTelemetry = {
    gpus: [{ index: 0, model: device.model, uuid: device.uuid, pciBusId: device.pciBusId }],
    read,
    counters: () => state.counters,
    processes: () => [],
    close,
    [Symbol.dispose]: close,
  };
  return { state, telemetry };
}

function watched(events: readonly XidEvent[] = []) {
  const clock = new VirtualClock();
  const { state, telemetry } = scripted(clock);
  const readXids = () => Promise.resolve({ events });
  const watch = watchDevices({ clock, telemetry, readXids });
  watch.note(0, { kind: "device", device });
  return { clock, state, watch };
}

const xid = (number: number, pciBusId = "0000:19:00"): XidEvent => ({
  atMs: 0,
  pciBusId,
  xid: number,
  text: "something happened",
});

describe("what is read around cases", () => {
  it("has clocks, power and heat of each case, and how long it was slowed", async () => {
    const { clock, state, watch } = watched();
    watch.note(0, { kind: "begin", key: "gemm", round: 0 });
    await clock.advance(1000);
    state.powerW = 700;
    await clock.advance(1000);
    watch.note(0, { kind: "end", key: "gemm", round: 0, wallMs: 2000 });
    const { facts, hardFacts } = await watch.end();
    expect(hardFacts).toEqual([]);
    expect(facts).toMatchObject({
      devices: {
        "gpu 0": { cases: { gemm: { smClockMhz: [1980, 1980, 1980], powerW: [100, 400, 700] } } },
      },
    });
    const slowed = JSON.stringify(facts);
    expect(slowed).toContain('"throttle":{"sw-power-cap":');
    expect(slowed).not.toContain("memoryTemperatureC");
    expect(state.closed).toBeGreaterThan(0);
  });

  it("errors that ECC could not mend are hard facts; mended ones explain, and do not condemn", async () => {
    const { state, watch } = watched();
    watch.note(0, { kind: "begin", key: "memory", round: 0 });
    state.counters = { ...quiet, eccCorrected: 3, eccUncorrected: 1, remapPending: true };
    watch.note(0, { kind: "end", key: "memory", round: 0, wallMs: 1 });
    const { facts, hardFacts } = await watch.end();
    expect(hardFacts).toEqual([
      "gpu 0 (GPU-1): 1 errors of memory came up that ECC could not mend",
      "gpu 0 (GPU-1): a row of memory waits for a reset to be replaced",
    ]);
    expect(JSON.stringify(facts)).toContain('"grown":{"eccCorrected":3,"eccUncorrected":1');
    const mended = watched();
    mended.state.counters = { ...quiet, eccCorrected: 3 };
    expect((await mended.watch.end()).hardFacts).toEqual([]);
  });

  it("XIDs that the hardware is to blame for are hard facts, of GPUs that took part alone", async () => {
    const { watch } = watched([xid(79), xid(13), xid(48, "0000:3b:00")]);
    const { hardFacts } = await watch.end();
    expect(hardFacts).toEqual(["gpu 0 (GPU-1): XID 79: something happened"]);
  });

  it("says what could not be read, and that is not the same as nothing to read", async () => {
    const watch = watchDevices({
      clock: new VirtualClock(),
      telemetry: { reason: "libnvidia-ml is not there" },
      readXids: () => Promise.resolve({ reason: "the kernel's log cannot be read" }),
    });
    watch.note(0, { kind: "device", device });
    watch.note(0, { kind: "begin", key: "gemm", round: 0 });
    watch.note(0, { kind: "end", key: "gemm", round: 0, wallMs: 1 });
    expect(await watch.end()).toEqual({
      hardFacts: [],
      facts: {
        devices: {},
        notRead: ["libnvidia-ml is not there", "the kernel's log cannot be read"],
      },
    });
  });

  it("stops its readings when a run is given up", async () => {
    const { clock, watch } = watched();
    watch.note(0, { kind: "begin", key: "gemm", round: 0 });
    watch.close();
    await clock.advance(10_000);
    expect(clock.timersPending).toBe(0);
  });
});
