import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { disarmControl, ensureControl } from "../../../src/hardware/shim/index.ts";
import { cudaCodesOf } from "../../../src/hardware/xid/index.ts";
import {
  buildShimStubs,
  Caller,
  noStubs,
  type ShimStubs,
} from "../../support/fake-cuda-shim/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { arm } from "./support.ts";

const xids = [13, 31, 43, 46, 48, 62, 74, 79, 94, 95, 109, 119, 120, 140, 145];
const transient = { inFlight: 802, onInit: 802, sticky: false };

describe.skipIf(noStubs !== "")(`errors of the shim${noStubs}`, () => {
  let stubs: ShimStubs;
  beforeAll(async () => {
    stubs = await buildShimStubs();
  });

  async function freshControl(): Promise<string> {
    const path = join(await tempDir(), "control");
    await ensureControl(path);
    return path;
  }

  it.each(xids)(
    "XID %i: its code by every route, for good, and none in a new process after disarming",
    async (xid) => {
      const control = await freshControl();
      const { inFlight } = cudaCodesOf(xid);
      const routes = [
        "link cudaMalloc & 8",
        "runtime cudaStreamSynchronize 0",
        "default cudaFree 0",
        "link cuCtxSynchronize",
        "driver cuMemAlloc_v2 & 8",
        "proc cuMemAlloc & 8",
        "proc1 cuMemAlloc & 8",
        "procs cuStreamSynchronize 0",
        "twice cuCtxSynchronize",
        "entry cuStreamSynchronize 0",
        "status cuCtxSynchronize",
        "status1 cuCtxSynchronize",
      ];
      await using caller = new Caller(stubs, { control });
      expect(new Set(await caller.askAll(...routes))).toEqual(new Set(["0"]));
      await arm(control, { xid });
      expect(new Set(await caller.askAll(...routes))).toEqual(new Set([String(inFlight)]));
      await disarmControl(control);
      expect(new Set(await caller.askAll(...routes))).toEqual(new Set([String(inFlight)]));
      await using next = new Caller(stubs, { control });
      expect(new Set(await next.askAll(...routes))).toEqual(new Set(["0"]));
    },
  );

  it.each([
    ["link cudaLaunchKernel 0", "a launch"],
    ["link cudaGraphLaunch 0 0", "a graph"],
    ["link cudaMemcpyAsync 0 0 0 0 0", "a copy"],
    ["link cudaMemcpyAsync_ptsz 0 0 0 0 0", "a copy on the thread's own stream"],
    ["link cudaMallocAsync & 8 0", "an allocation"],
    ["proc cuGraphLaunch 0 0", "a graph of the driver"],
  ])("shows at the call after %s (%s), and at every one after that", async (line) => {
    const control = await freshControl();
    await using caller = new Caller(stubs, { control });
    await caller.ask("link cudaSetDevice 0");
    expect(await caller.ask(line)).toBe("0");
    await arm(control, { xid: 48 });
    expect(await caller.ask(line)).toBe("0");
    expect(await caller.askAll(line, "link cudaDeviceSynchronize", line)).toEqual([
      "214",
      "214",
      "214",
    ]);
  });

  it("is forgotten by cudaGetLastError and back with the next call, and queries go on, as on a real GPU", async () => {
    const control = await freshControl();
    await using caller = new Caller(stubs, { control });
    await caller.ask("link cudaSetDevice 0");
    await arm(control, { xid: 31 });
    expect(
      await caller.askAll(
        "link cudaDeviceSynchronize",
        "link cudaPeekAtLastError",
        "link cudaGetLastError",
        "link cudaGetLastError",
        "link cudaGetDevice &",
        "link cudaGetDeviceCount &",
        "scratch",
        "link cudaSetDevice 0",
        "link cudaDeviceSynchronize",
        "link cudaGetLastError",
      ),
    ).toEqual(["700", "700", "700", "0", "0", "0", "2", "0", "700", "700"]);
  });

  it("does not go away with a reset: the GPU is unavailable to that process then, and not to others", async () => {
    const control = await freshControl();
    await using caller = new Caller(stubs, { control });
    const reset = ["link cudaDeviceReset", "link cudaMalloc & 8", "link cudaSetDevice 0"];
    await caller.ask("link cudaSetDevice 0");
    expect(await caller.askAll(...reset)).toEqual(["0", "0", "0"]);
    await arm(control, { xid: 31 });
    expect(await caller.ask("link cudaMalloc & 8")).toBe("700");
    await disarmControl(control);
    expect(await caller.askAll(...reset)).toEqual(["0", "46", "46"]);
    await using other = new Caller(stubs, { control });
    expect(await other.askAll(...reset)).toEqual(["0", "0", "0"]);
  });

  it("waits once for cudaGetLastError when it is not sticky, also after disarming, and then is gone", async () => {
    const control = await freshControl();
    await using caller = new Caller(stubs, { control });
    await caller.askAll("link cudaSetDevice 0", "link cudaMalloc & 8");
    await arm(control, { xid: 143 }, { codes: transient });
    expect(await caller.askAll("link cudaMalloc & 8", "link cudaMemcpyAsync 0 0 0 0 0")).toEqual([
      "802",
      "802",
    ]);
    await disarmControl(control);
    expect(
      await caller.askAll(
        "link cudaMalloc & 8",
        "link cudaPeekAtLastError",
        "link cudaGetLastError",
        "link cudaGetLastError",
        "link cudaMalloc & 8",
      ),
    ).toEqual(["0", "802", "802", "0", "0"]);
  });

  it("keeps a new process from starting while armed, and lets it start afterwards", async () => {
    const control = await freshControl();
    await arm(control, { xid: 79 });
    await using caller = new Caller(stubs, { control });
    const start = [
      "link cudaGetDeviceCount &",
      "scratch",
      "link cudaSetDevice 0",
      "link cudaMalloc & 8",
    ];
    expect(await caller.askAll(...start, "proc cuInit 0", "link cuInit 0")).toEqual([
      "100",
      "0",
      "100",
      "100",
      "100",
      "100",
    ]);
    await disarmControl(control);
    expect(await caller.askAll(...start)).toEqual(["0", "2", "0", "0"]);
  });

  it("lets a new process start, and fails its work, where the GPU takes new processes", async () => {
    const control = await freshControl();
    await arm(control, { xid: 94 });
    await using caller = new Caller(stubs, { control });
    expect(
      await caller.askAll(
        "link cudaGetDeviceCount &",
        "link cudaSetDevice 0",
        "link cudaMalloc & 8",
      ),
    ).toEqual(["0", "0", "226"]);
  });

  it("belongs to the context of one GPU when it is armed for one", async () => {
    const control = await freshControl();
    await using caller = new Caller(stubs, { control });
    await caller.askAll("link cudaSetDevice 0", "link cudaMalloc & 8");
    await arm(control, { xid: 48, gpus: [1] });
    expect(
      await caller.askAll("link cudaMalloc & 8", "proc cuCtxSynchronize", "link cudaGetLastError"),
    ).toEqual(["0", "0", "0"]);
    await caller.ask("link cudaSetDevice 1");
    expect(
      await caller.askAll("link cudaMalloc & 8", "proc cuCtxSynchronize", "link cudaGetLastError"),
    ).toEqual(["214", "214", "214"]);
    await disarmControl(control);
    expect(await caller.ask("link cudaMalloc & 8")).toBe("214");
    await caller.ask("link cudaSetDevice 0");
    expect(await caller.ask("link cudaMalloc & 8")).toBe("0");
  });

  it("says no device only when every GPU that the process has is gone", async () => {
    const control = await freshControl();
    await arm(control, { xid: 79, gpus: [0] });
    await using two = new Caller(stubs, { control, devices: 2 });
    expect(
      await two.askAll("link cudaGetDeviceCount &", "link cudaSetDevice 1", "link cudaSetDevice 0"),
    ).toEqual(["0", "0", "0"]);
    await using one = new Caller(stubs, { control, devices: 1 });
    expect(await one.askAll("link cudaGetDeviceCount &", "link cudaSetDevice 0")).toEqual([
      "100",
      "100",
    ]);
  });

  it("is met by every thread and by the child of a fork", async () => {
    const control = await freshControl();
    await using caller = new Caller(stubs, { control });
    expect(await caller.ask("threads 8 link cudaDeviceSynchronize")).toBe("0 0 0 0 0 0 0 0");
    expect(await caller.ask("fork link cudaDeviceSynchronize")).toBe("0");
    await arm(control, { xid: 79 });
    expect(await caller.ask("fork link cudaDeviceSynchronize")).toBe("999");
    // The child died of it, the parent has not called yet.
    await disarmControl(control);
    expect(await caller.ask("link cudaDeviceSynchronize")).toBe("0");
    await arm(control, { xid: 79 });
    expect(await caller.ask("threads 8 link cudaDeviceSynchronize")).toBe(
      Array(8).fill("999").join(" "),
    );
    expect(await caller.ask("fork link cudaDeviceSynchronize")).toBe("999");
  });
});
