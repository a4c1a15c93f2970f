import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { notesIn } from "../../../src/hardware/agent/fault-notes.ts";
import type { FaultOf } from "../../../src/hardware/agent/in-force.ts";
import { LineJournal } from "../../../src/hardware/agent/line-journal.ts";
import { xidPort } from "../../../src/hardware/agent/xid-port.ts";
import { XidRunner } from "../../../src/hardware/agent/xid-runner.ts";
import { createFaultBook } from "../../../src/hardware/faults/index.ts";
import type { XidAction } from "../../../src/hardware/objects/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { armedFault, namespace, xidAction } from "./support/fake-hardware.ts";
import { agentSetup, linesOf, startAgent } from "./support/start-agent.ts";

const id = "0123456789ab";

async function gpuFiles(folder: string): Promise<void> {
  for (const [minor, address] of [
    [0, "0000:17:00.0"],
    [1, "00000001:3B:00.0"],
  ] as const) {
    const gpu = join(folder, "proc", "gpus", address);
    await mkdir(gpu, { recursive: true });
    const text = `Model: \t\t NVIDIA H100\nBus Location: \t ${address}\nDevice Minor: \t ${minor}\n`;
    await writeFile(join(gpu, "information"), text);
  }
}

describe("XID faults", () => {
  it("are lines in the kernel log, and then injected", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    const nowMs = cluster.clock.nowMs();
    await startAgent(setup);
    const lines = [{ xid: 79 }, { xid: 154, delayMs: 30 }];
    cluster.putFault(armedFault("one", xidAction(id, { lines }), { nowMs }));
    await waitUntil("it is injected", () => cluster.fault("one").status?.state === "injected");
    const [first = "", second = ""] = await linesOf(kernelLog);
    expect(first).toMatch(/^kernel: NVRM: Xid \(PCI:0000:3b:00\): 79, .* tessera=0123456789ab$/);
    expect(second).toContain("154, ");
    expect(cluster.fault("one").status?.history?.at(-1)?.by).toBe("agent/gpu-1");
  });

  it.each([
    ["planned ones", { state: "planned" as const }],
    ["ended ones", { end: { reason: "requested" as const, at: "", by: "fault-api" } }],
    ["ones without a lease", { leaseUntil: new Date(0).toISOString() }],
    ["ones of another node", { node: "gpu-2" }],
  ])("do nothing when they are %s", async (_, given) => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    const nowMs = cluster.clock.nowMs();
    const { node, ...status } = { node: "gpu-1", ...given };
    await startAgent(setup);
    cluster.putFault(armedFault("not", xidAction(id, { node }), { nowMs, ...status }));
    cluster.putFault(armedFault("yes", xidAction("a".repeat(12)), { nowMs }));
    await waitUntil("the other is", () => cluster.fault("yes").status?.state === "injected");
    expect(await linesOf(kernelLog)).toHaveLength(1);
    expect(cluster.fault("not").status?.state).toBe("state" in status ? status.state : "armed");
  });

  it("find a GPU by its number", async () => {
    const setup = await agentSetup();
    const { cluster, folder, kernelLog } = setup;
    await gpuFiles(folder);
    await startAgent(setup);
    const action = xidAction(id, { gpu: { index: 1 } });
    cluster.putFault(armedFault("one", action, { nowMs: cluster.clock.nowMs() }));
    await waitUntil("it is injected", () => cluster.fault("one").status?.state === "injected");
    expect((await linesOf(kernelLog))[0]).toContain("(PCI:0001:3b:00): 79");
  });

  it.each([
    ["a GPU that the node has not", { gpu: { index: 7 } }, "this node has no GPU 7"],
    ["an address that the node has not", { gpu: { pci: "0000:99:00" } }, "no GPU at 0000:99:00"],
    ["an XID that there is not", { lines: [{ xid: 79 }, { xid: 4242 }] }, "4242 is no XID"],
  ])("fail without a line for %s", async (_, more, message) => {
    const setup = await agentSetup();
    const { cluster, folder, kernelLog } = setup;
    await gpuFiles(folder);
    await startAgent(setup);
    const action = xidAction(id, { gpu: { index: 0 }, ...more });
    cluster.putFault(armedFault("one", action, { nowMs: cluster.clock.nowMs() }));
    await waitUntil("it has ended", () => cluster.fault("one").status?.end !== undefined);
    expect(cluster.fault("one").status?.message).toContain(message);
    expect(await linesOf(kernelLog)).toEqual([]);
  });

  it("fail where the agent has no kernel log", async () => {
    const { kernelLog: _, ...setup } = await agentSetup();
    const { cluster } = setup;
    const agent = { ...setup, kernelLog: undefined as unknown as string };
    await startAgent(agent);
    cluster.putFault(armedFault("one", xidAction(id), { nowMs: cluster.clock.nowMs() }));
    await waitUntil("it has ended", () => cluster.fault("one").status?.end !== undefined);
    expect(cluster.fault("one").status?.message).toContain("has no kernel log");
  });

  it("go on where the agent before stopped, and write no line twice", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    const nowMs = cluster.clock.nowMs();
    const first = await startAgent(setup);
    const action = xidAction(id, { lines: [{ xid: 79 }, { xid: 154, delayMs: 1500 }] });
    cluster.putFault(armedFault("one", action, { nowMs }));
    await waitUntil("the first line is there", async () => (await linesOf(kernelLog)).length === 1);
    await first.stop();
    expect(cluster.fault("one").status?.state).toBe("armed");
    await startAgent(setup);
    await waitUntil("it is injected", () => cluster.fault("one").status?.state === "injected");
    expect(await linesOf(kernelLog)).toHaveLength(2);
  });

  it("fail when a line cannot be written, also when that could not be said at first", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    const { client, clock } = cluster;
    const notes = notesIn(createFaultBook({ client, namespace, clock, by: "agent/gpu-1" }));
    const journal = await LineJournal.open(join(setup.folder, "lines"), { keep: () => true });
    onTestFinished(() => journal.close());
    const fault = armedFault("one", xidAction(id), { nowMs: clock.nowMs() });
    cluster.putFault(fault);
    let refusals = 1;
    const quiet = () => {};
    const written: string[] = [];
    const runner = new XidRunner({
      writer: {
        write: async (text) => {
          written.push(text);
          throw new Error("the disk is gone");
        },
        close: async () => {},
      },
      journal,
      xid: xidPort,
      notes: {
        ...notes,
        failed: async (name, message) => {
          if (refusals-- > 0) throw new Error("the API server is away");
          return notes.failed(name, message);
        },
      },
      clock,
      log: { info: quiet, warn: quiet, error: quiet },
      procFolder: join(setup.folder, "proc"),
      signal: new AbortController().signal,
    });
    const orders = [fault] as FaultOf<XidAction>[];
    runner.start(orders);
    await runner.stop();
    expect(cluster.fault("one").status).toMatchObject({ state: "armed" });
    runner.start(orders);
    await runner.stop();
    expect(cluster.fault("one").status).toMatchObject({
      end: { reason: "not-carried-out" },
      message: expect.stringContaining("line 1 may be missing"),
    });
    expect(written).toHaveLength(1);
    expect(await linesOf(kernelLog)).toEqual([]);
  });

  it("fail when the agent was killed while it wrote a line, and write no line twice", async () => {
    const setup = await agentSetup();
    const { cluster, folder, kernelLog } = setup;
    const nowMs = cluster.clock.nowMs();
    const lines = [{ xid: 79 }, { xid: 154, delayMs: 60_000 }];
    const first = await startAgent(setup);
    cluster.putFault(armedFault("one", xidAction(id, { lines }), { nowMs }));
    await waitUntil("the first line is there", async () => (await linesOf(kernelLog)).length === 1);
    await first.stop();
    expect(cluster.fault("one").status?.state).toBe("armed");
    expect(await readFile(join(folder, "state", "lines.jsonl"), "utf8")).toContain('"line":0');
    // As if the second had been announced as well, and the agent killed right then.
    await writeFile(join(folder, "state", "lines.jsonl"), '{"fault":"one","line":1}\n', {
      flag: "a",
    });
    await startAgent(setup);
    await waitUntil("it has ended", () => cluster.fault("one").status?.end !== undefined);
    const { end, message, state } = cluster.fault("one").status ?? {};
    expect({ state, reason: end?.reason }).toEqual({ state: "armed", reason: "not-carried-out" });
    expect(message).toContain("line 2 may be missing: an agent ended while it wrote it");
    expect(await linesOf(kernelLog)).toHaveLength(1);
  });

  it("stop between lines when somebody ends them", async () => {
    const setup = await agentSetup();
    const { cluster, kernelLog } = setup;
    const nowMs = cluster.clock.nowMs();
    await startAgent(setup);
    const lines = [{ xid: 79 }, { xid: 154, delayMs: 1500 }];
    cluster.putFault(armedFault("one", xidAction(id, { lines }), { nowMs }));
    await waitUntil("the first line is there", async () => (await linesOf(kernelLog)).length === 1);
    const end = { reason: "requested" as const, at: new Date(nowMs).toISOString(), by: "x" };
    cluster.setStatus("one", { end });
    const later = xidAction("b".repeat(12), { lines: [{ xid: 48, delayMs: 3000 }] });
    cluster.putFault(armedFault("later", later, { nowMs }));
    await waitUntil("another is over", () => cluster.fault("later").status?.state === "injected");
    expect(await linesOf(kernelLog)).toHaveLength(2);
    expect(cluster.fault("one").status?.state).toBe("armed");
  });
});
