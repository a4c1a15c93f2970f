import { describe, expect, it, onTestFinished } from "vitest";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import {
  type GpuTelemetry,
  openGpuTelemetry,
} from "../../../../src/runtime/cuda/telemetry/index.ts";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { fakeFolder, noFake } from "../device/on-fake.ts";

const clock = new VirtualClock({ epochMs: 1_700_000_000_000 });

function open(): GpuTelemetry {
  const telemetry = openGpuTelemetry({ folders: [fakeFolder], clock });
  if ("reason" in telemetry) throw new Error(telemetry.reason);
  onTestFinished(() => telemetry.close());
  return telemetry;
}

/** The GPU at a place in the list. */
function gpu(telemetry: GpuTelemetry, index: number) {
  const found = telemetry.gpus[index];
  if (found === undefined) throw new Error(`no GPU ${index}`);
  return found;
}

describe.skipIf(noFake !== "")(`telemetry through a fake NVML${noFake}`, () => {
  it("lists all GPUs of the machine, visible to CUDA or not", () => {
    withFakeEnv({ FAKE_CUDA_DEVICES: "2", CUDA_VISIBLE_DEVICES: "1" });
    expect(open().gpus).toEqual([
      {
        index: 0,
        model: "Fake H200",
        uuid: "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f",
        pciBusId: "0000:19:00.0",
        minor: 0,
      },
      expect.objectContaining({ index: 1, pciBusId: "0000:29:00.0" }),
    ]);
  });

  it("tells the numbers of their device files where the driver does", () => {
    withFakeEnv({ FAKE_CUDA_DEVICES: "3", FAKE_NVML_MINOR: "0:2,1:none,2:0" });
    expect(open().gpus.map(({ minor }) => minor)).toEqual([2, undefined, 0]);
  });

  it("reads one GPU's state, and not another's", () => {
    withFakeEnv({
      FAKE_CUDA_DEVICES: "2",
      FAKE_NVML_TEMPERATURE: "45,1:88",
      FAKE_NVML_POWER_MW: "650500",
      FAKE_NVML_THROTTLE: "1:0x44",
    });
    const telemetry = open();
    expect(telemetry.read(gpu(telemetry, 0))).toEqual({
      atMs: 1_700_000_000_000,
      smClockMhz: 1980,
      memoryClockMhz: 3201,
      powerW: 650.5,
      temperatureC: 45,
      memoryTemperatureC: 61,
      utilizationPercent: 97,
      memoryUsedBytes: 600_000_000,
      throttle: [],
    });
    const hot = telemetry.read(gpu(telemetry, 1));
    expect(hot).toMatchObject({ temperatureC: 88, throttle: ["sw-power-cap", "hw-thermal"] });
  });

  it("what a GPU does not tell is null, never 0", () => {
    const variables = ["SM_CLOCK", "POWER_MW", "TEMPERATURE", "MEMORY_TEMPERATURE", "UTILIZATION"];
    withFakeEnv(Object.fromEntries(variables.map((name) => [`FAKE_NVML_${name}`, "none"])));
    withFakeEnv({ FAKE_NVML_ECC_UNCORRECTED: "none", FAKE_NVML_NVLINKS: "0" });
    const telemetry = open();
    expect(telemetry.read(gpu(telemetry, 0))).toMatchObject({
      smClockMhz: null,
      memoryClockMhz: 3201,
      powerW: null,
      temperatureC: null,
      memoryTemperatureC: null,
      utilizationPercent: null,
    });
    expect(telemetry.counters(gpu(telemetry, 0))).toMatchObject({
      eccCorrected: 0,
      eccUncorrected: null,
      retiredPages: null,
      nvlinkErrors: null,
    });
  });

  it("reads counters", () => {
    withFakeEnv({
      FAKE_NVML_ECC_CORRECTED: "3",
      FAKE_NVML_ECC_UNCORRECTED: "1",
      FAKE_NVML_REMAPPED_CORRECTED: "5",
      FAKE_NVML_REMAPPED_UNCORRECTED: "2",
      FAKE_NVML_REMAP_PENDING: "1",
      FAKE_NVML_RETIRED_PAGES: "7",
      FAKE_NVML_PCIE_REPLAYS: "11",
      FAKE_NVML_NVLINK_ERRORS: "13",
      FAKE_NVML_ENERGY_MJ: "123456789012",
    });
    const telemetry = open();
    expect(telemetry.counters(gpu(telemetry, 0))).toEqual({
      eccCorrected: 3,
      eccUncorrected: 1,
      remappedRowsCorrectable: 5,
      remappedRowsUncorrectable: 2,
      remapPending: true,
      remapFailed: false,
      retiredPages: 7,
      pcieReplays: 11,
      nvlinkErrors: 13,
      energyMj: 123_456_789_012,
    });
  });

  it("names the processes on a GPU, and none on an idle one", () => {
    withFakeEnv({ FAKE_CUDA_DEVICES: "2", FAKE_NVML_PROCESSES: "1:4242" });
    const telemetry = open();
    expect(telemetry.processes(gpu(telemetry, 0))).toEqual([]);
    expect(telemetry.processes(gpu(telemetry, 1))).toEqual([
      { pid: 4242, memoryBytes: 512 * 2 ** 20 },
    ]);
  });

  it("a GPU that is lost is an error with NVML's name, not a missing reading", () => {
    const telemetry = open();
    withFakeEnv({ FAKE_CUDA_FAIL: "nvmlDeviceGetPowerUsage:1:15" });
    expect(() => telemetry.read(gpu(telemetry, 0))).toThrow(
      expect.objectContaining({
        code: "E_CUDA",
        message: expect.stringMatching(/nvmlDeviceGetPowerUsage failed: NVML_ERROR_GPU_IS_LOST/),
      }),
    );
  });

  it("an NVML that does not start is a reason", () => {
    withFakeEnv({ FAKE_CUDA_FAIL: "nvmlInit_v2:1:18" });
    expect(openGpuTelemetry({ folders: [fakeFolder] })).toEqual({
      reason: "NVML does not start: NVML_ERROR_LIB_RM_VERSION_MISMATCH (18)",
    });
  });

  it("a GPU that cannot be listed is a reason", () => {
    withFakeEnv({ FAKE_CUDA_FAIL: "nvmlDeviceGetUUID:1:15" });
    expect(openGpuTelemetry({ folders: [fakeFolder] })).toEqual({
      reason: expect.stringMatching(/GPU_IS_LOST.*GPU 0/),
    });
  });

  it("an unknown GPU, and one after the end, cannot be asked", () => {
    const telemetry = open();
    expect(() => telemetry.read({ uuid: "GPU-none" })).toThrow(/NVML knows no GPU GPU-none/);
    const known = gpu(telemetry, 0);
    telemetry.close();
    telemetry.close();
    expect(() => telemetry.read(known)).toThrow(/closed/);
  });
});

describe("telemetry without NVML", () => {
  it("is a reason", () => {
    const env = { PATH: "/nonexistent", TESSERA_CUDA_LIBRARY_PATH: "/nonexistent" };
    const opened = openGpuTelemetry({ env, folders: ["/nonexistent"] });
    if ("gpus" in opened) opened.close();
    else expect(opened.reason).toMatch(/libnvidia-ml/);
  });
});
