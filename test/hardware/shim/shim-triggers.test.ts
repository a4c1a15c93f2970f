import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  bodyEnd,
  bodyOffset,
  decodeControl,
  encodeControl,
} from "../../../src/hardware/shim/control-block.ts";
import {
  armControl,
  disarmControl,
  ensureControl,
  renewControl,
} from "../../../src/hardware/shim/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import {
  buildShimStubs,
  Caller,
  noStubs,
  type ShimStubs,
} from "../../support/fake-cuda-shim/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { arm } from "./support.ts";

const transient = { inFlight: 802, onInit: 0, sticky: false };
const sticky = { inFlight: 719, onInit: 0, sticky: true };

describe.skipIf(noStubs !== "")(`when the shim fails a call${noStubs}`, () => {
  let stubs: ShimStubs;
  let control = "";
  beforeAll(async () => {
    stubs = await buildShimStubs();
  });

  async function started(): Promise<Caller> {
    control = join(await tempDir(), "control");
    await ensureControl(control);
    const caller = new Caller(stubs, { control });
    await caller.askAll("link cudaSetDevice 0", "link cudaMalloc & 8");
    return caller;
  }

  async function overwriteBody(block: Buffer): Promise<void> {
    const file = await open(control, "r+");
    try {
      await file.write(block, bodyOffset, bodyEnd - bodyOffset, bodyOffset);
    } finally {
      await file.close();
    }
  }

  it("so many calls go well first, in each process for itself; queries and the runtime's own calls do not count", async () => {
    await using caller = await started();
    await arm(control, { xid: 143, afterCalls: 5 }, { codes: transient });
    expect(await caller.ask("repeat 50 link cudaGetDevice &")).toBe(Array(50).fill("0").join(" "));
    expect(await caller.ask("repeat 7 link cudaMalloc & 8")).toBe("0 0 0 0 0 802 802");
    await using other = new Caller(stubs, { control });
    expect(await other.ask("repeat 7 link cudaMalloc & 8")).toBe("0 0 0 0 0 802 802");
    await arm(control, { xid: 143, afterCalls: 2 }, { codes: transient });
    expect(await caller.ask("repeat 4 link cudaMalloc & 8")).toBe("0 0 802 802");
  });

  it("so long calls go well first, from arming", async () => {
    await using caller = await started();
    await arm(control, { xid: 143, afterMs: 3_600_000 }, { codes: transient, forMs: 7_200_000 });
    expect(await caller.ask("link cudaMalloc & 8")).toBe("0");
    await arm(control, { xid: 143, afterMs: 300 }, { codes: transient });
    await waitUntil(
      "the time has come",
      async () => (await caller.ask("link cudaMalloc & 8")) === "802",
    );
  });

  it("a probability hits its share, the same calls for the same seed and others for another", async () => {
    await using caller = await started();
    const hits = async (seed: number, probability: number): Promise<string> => {
      await arm(control, { xid: 143, probability, seed }, { codes: transient });
      return caller.ask("repeat 300 link cudaMalloc & 8");
    };
    const first = await hits(1, 0.3);
    const count = first.split(" ").filter((code) => code === "802").length;
    expect(count).toBeGreaterThan(50);
    expect(count).toBeLessThan(130);
    expect(await hits(1, 0.3)).toBe(first);
    expect(await hits(2, 0.3)).not.toBe(first);
    expect(await hits(1, 0)).not.toContain("802");
  });

  it("one hit of a sticky error is enough, however small the probability", async () => {
    await using caller = await started();
    await arm(control, { xid: 43, probability: 0.05, seed: 1 }, { codes: sticky });
    const codes = (await caller.ask("repeat 200 link cudaMalloc & 8")).split(" ");
    const hit = codes.indexOf("719");
    expect(hit).toBeGreaterThan(0);
    expect(new Set(codes.slice(hit))).toEqual(new Set(["719"]));
  });

  it("latency makes calls slower and fails none", async () => {
    await using caller = await started();
    const clock = createRealClock();
    await arm(control, { xid: 79, latencyUs: 5000 });
    const beganMs = clock.monotonicMs();
    expect(await caller.ask("distinct 40 link cudaMalloc & 8")).toBe("0");
    expect(clock.monotonicMs() - beganMs).toBeGreaterThanOrEqual(200);
    await using fresh = new Caller(stubs, { control });
    expect(await fresh.ask("link cudaGetDeviceCount &")).toBe("0");
  });

  it.each<[string, (path: string) => Promise<void>]>([
    ["it is disarmed", disarmControl],
    ["its time is over", (path) => renewControl(path, { expiresAtMs: 1 })],
    ["another fault is armed", (path) => arm(path, { xid: 143, afterCalls: 1e9 })],
    ["the block is gone", (path) => rm(path)],
  ])(
    "a call that a latency holds goes on when %s, long before its minute is over",
    async (_, end) => {
      await using caller = await started();
      await arm(control, { xid: 79, latencyUs: 60_000_000 }, { forMs: 600_000 });
      expect(await caller.ask("begin link cudaMalloc & 8")).toBe("begun");
      await end(control);
      expect(await caller.next("the answer")).toBe("0");
    },
    30_000,
  );

  it("counters begin anew with a later arming only, not with a block that was read before it", async () => {
    await using caller = await started();
    await arm(control, { xid: 143, afterCalls: 3 }, { codes: transient });
    expect(await caller.ask("repeat 5 link cudaMalloc & 8")).toBe("0 0 0 802 802");
    const current = await readFile(control);
    const nowMs = createRealClock().nowMs();
    const before = encodeControl({
      fault: { xid: 143, afterCalls: 3 },
      codes: transient,
      generation: decodeControl(current).generation - 1,
      armedAtMs: nowMs,
      expiresAtMs: nowMs + 60_000,
    });
    await overwriteBody(before);
    expect(await caller.ask("repeat 2 link cudaMalloc & 8")).toBe("802 802");
    await overwriteBody(current);
    await arm(control, { xid: 143, afterCalls: 3 }, { codes: transient });
    expect(await caller.ask("repeat 4 link cudaMalloc & 8")).toBe("0 0 0 802");
  });

  it("counters begin anew with each arming, also when the wall clock was set back", async () => {
    await using caller = await started();
    const nowMs = createRealClock().nowMs();
    const order = { fault: { xid: 143, afterCalls: 1 }, codes: transient };
    const expiresAtMs = nowMs + 60_000;
    await armControl(control, { ...order, expiresAtMs, nowMs });
    expect(await caller.ask("repeat 3 link cudaMalloc & 8")).toBe("0 802 802");
    await armControl(control, { ...order, expiresAtMs, nowMs: nowMs - 3_600_000 });
    expect(await caller.ask("repeat 3 link cudaMalloc & 8")).toBe("0 802 802");
  });

  it("half of an update is never obeyed", async () => {
    await using caller = await started();
    await arm(control, { xid: 143, gpus: [0] }, { codes: transient });
    expect(await caller.ask("link cudaMalloc & 8")).toBe("802");
    const nowMs = createRealClock().nowMs();
    const times = { generation: nowMs + 1, armedAtMs: nowMs, expiresAtMs: nowMs + 60_000 };
    const next = encodeControl({ fault: { xid: 43, gpus: [0] }, codes: sticky, ...times });
    const file = await open(control, "r+");
    try {
      await file.write(next, bodyOffset, 40, bodyOffset);
      expect(await caller.askAll("link cudaMalloc & 8", "link cuCtxSynchronize")).toEqual([
        "0",
        "0",
      ]);
    } finally {
      await file.close();
    }
    await overwriteBody(next);
    expect(await caller.ask("link cudaMalloc & 8")).toBe("719");
  });

  it("a writer that never rests is never seen between two faults", async () => {
    await using caller = await started();
    // A code of the one fault with the GPUs of the other would answer 803 on GPU 0.
    const over = new AbortController();
    const writing = (async () => {
      for (let round = 0; !over.signal.aborted; round++) {
        const [gpu, inFlight] = round % 2 === 0 ? [0, 802] : [1, 803];
        await arm(
          control,
          { xid: 143, gpus: [gpu ?? 0] },
          { codes: { ...transient, inFlight: inFlight ?? 0 } },
        );
      }
    })();
    const seen = new Set<string>();
    await waitUntil("both states were seen", async () => {
      for (const code of (await caller.ask("distinct 20000 link cudaStreamSynchronize 0")).split(
        " ",
      ))
        seen.add(code);
      return seen.has("0") && seen.has("802");
    });
    for (let i = 0; i < 10; i++) {
      for (const code of (await caller.ask("distinct 20000 link cudaStreamSynchronize 0")).split(
        " ",
      ))
        seen.add(code);
    }
    over.abort();
    await writing;
    await disarmControl(control);
    expect([...seen].toSorted()).toEqual(["0", "802"]);
  });
});
