import { describe, expect, it, onTestFinished } from "vitest";
import {
  createNvSentinelSimulator,
  type NodeKernelLog,
  type NvSentinelSimulatorOptions,
  type XidReading,
} from "../../../../src/hardware/detectors/index.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import type { FakeObject } from "../../../platform/kube/support/object-table.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import {
  fakeNodes,
  gpuNode,
  nodesPath,
  podsPath,
  random,
  runningPod,
} from "../support/fake-nodes.ts";

const stateLabel = "dgxc.nvidia.com/nvsentinel-state";

/** A kernel log that a test writes. */
class TestLog implements AsyncIterable<{ text: string }> {
  readonly #lines: string[] = [];
  #wake: () => void = () => undefined;
  taken = 0;

  write(text: string): void {
    this.#lines.push(text);
    this.#wake();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      const text = this.#lines[this.taken];
      if (text === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else {
        yield { text };
        this.taken++;
      }
    }
  }
}

/** A line `79` or `43` is an XID of that number. */
function read(text: string): XidReading | undefined {
  const xid = Number(/Xid \(PCI:[^)]*\): (\d+)/.exec(text)?.[1]);
  if (Number.isNaN(xid)) return undefined;
  return { xid, pci: "0000:3b:00", action: xid === 43 ? "NONE" : "RESTART_BM" };
}

const line = (xid: number) => `NVRM: Xid (PCI:0000:3b:00): ${xid}, pid='<unknown>'`;

async function setup(more: Partial<NvSentinelSimulatorOptions> & { source?: object } = {}) {
  const cluster = await fakeNodes();
  for (const name of ["n1", "n2", "n3", "n4"]) cluster.api.put(nodesPath, gpuNode(name));
  const log = new TestLog();
  const source: NodeKernelLog = { node: "n1", records: log, ...more.source };
  const simulator = createNvSentinelSimulator({
    client: cluster.client,
    clock: cluster.clock,
    random,
    read,
    kernelLogs: [source],
    log: () => undefined,
    ...more,
  });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  return { ...cluster, log, simulator, stop };
}

/** Follows the logs without looking at them by itself. */
function follow({ simulator, stop }: Awaited<ReturnType<typeof setup>>): void {
  void simulator.run(stop.signal);
}

const quiet = { pollMs: 3_600_000, sweepMs: 3_600_000 };
const condition = (node: { status?: { conditions?: readonly { type: string }[] } }) =>
  node.status?.conditions?.find(({ type }) => type === "SysLogsXIDError");

describe("the NVSentinel simulator", () => {
  it("loses a line from before its first look, and closes the node for a later one", async () => {
    const all = await setup(quiet);
    follow(all);
    all.log.write(line(79));
    await waitUntil("the line was read", () => all.log.taken === 1);
    await all.simulator.poll();
    expect(all.node("n1").spec?.unschedulable).not.toBe(true);
    all.log.write(line(48));
    await waitUntil("the line was read", () => all.log.taken === 2);
    await all.simulator.poll();
    expect(all.node("n1").spec?.unschedulable).toBe(true);
    expect(condition(all.node("n1"))).toMatchObject({ status: "True" });
    expect(all.node("n1").metadata.annotations?.["quarantineHealthEvent"]).toContain('"48"');
    expect(all.node("n2").spec?.unschedulable).not.toBe(true);
  });

  it("closes no node for a line that is not fatal: an Event is all", async () => {
    const all = await setup(quiet);
    follow(all);
    await all.simulator.poll();
    all.log.write(line(43));
    await waitUntil("the line was read", () => all.log.taken === 1);
    await all.simulator.poll();
    expect(all.node("n1").spec?.unschedulable).not.toBe(true);
    expect(condition(all.node("n1"))).toBeUndefined();
    const events = [...all.api.table.collection("/api/v1/events").values()];
    expect(events).toMatchObject([{ reason: "SysLogsXIDErrorIsNotHealthy" }]);
  });

  it("works by itself: detects, closes, drains, and only says what it would restart", async () => {
    const drain = { namespaces: [{ name: "*", mode: "Immediate" as const }] };
    const all = await setup({ pollMs: 20, sweepMs: 20, drain });
    all.api.put(podsPath, runningPod("n1", "worker"));
    all.api.put(podsPath, runningPod("n2", "elsewhere"));
    all.api.put(podsPath, runningPod("n1", "daemon", { owner: { kind: "DaemonSet", name: "d" } }));
    follow(all);
    await waitUntil("the first look was taken", () => all.simulator.polls > 0);
    all.log.write(line(79));
    await waitUntil(
      "the node is drained",
      () => all.node("n1").metadata.labels?.[stateLabel] === "drain-succeeded",
    );
    expect(all.pods()).toEqual(["team/daemon", "team/elsewhere"]);
    await waitUntil("it says what it would do", () => all.simulator.remediations.length === 1);
    expect(all.simulator.remediations).toMatchObject([
      { node: "n1", action: "RESTART_BM", resource: { kind: "RebootNode" } },
    ]);
  });

  it("waits at a disruption budget, and evicts nobody by default", async () => {
    const immediate = { namespaces: [{ name: "*", mode: "Immediate" as const }] };
    const all = await setup({ ...quiet, drain: immediate });
    all.api.put(podsPath, runningPod("n1", "worker"));
    all.blocked.add("team/worker");
    const event = { version: 1, agent: "syslog-health-monitor", componentClass: "GPU" };
    const fatal = { ...event, checkName: "SysLogsXIDError", isFatal: true, nodeName: "n1" };
    await all.simulator.submit(fatal);
    await all.simulator.sweep();
    expect(all.node("n1").metadata.labels?.[stateLabel]).toBe("draining");
    expect(all.pods()).toEqual(["team/worker"]);
    all.blocked.clear();
    await all.simulator.sweep();
    await all.simulator.sweep();
    expect(all.node("n1").metadata.labels?.[stateLabel]).toBe("drain-succeeded");

    const patient = await setup(quiet);
    patient.api.put(podsPath, runningPod("n1", "worker"));
    await patient.simulator.submit(fatal);
    for (let round = 0; round < 3; round++) await patient.simulator.sweep();
    expect(patient.pods()).toEqual(["team/worker"]);
    expect([...patient.api.table.collection("/api/v1/events").values()]).toMatchObject([
      { type: "NodeDraining", reason: "AwaitingPodCompletion" },
    ]);
  });

  it("declares everything well after a restart of the machine", async () => {
    let boot = "first";
    const all = await setup({ ...quiet, source: { bootId: () => boot } });
    follow(all);
    await all.simulator.poll();
    all.log.write(line(79));
    await waitUntil("the line was read", () => all.log.taken === 1);
    await all.simulator.poll();
    expect(all.node("n1").spec?.unschedulable).toBe(true);
    boot = "second";
    await all.simulator.poll();
    expect(all.node("n1").spec?.unschedulable).toBe(false);
    expect(condition(all.node("n1"))).toMatchObject({ status: "False" });
  });

  it("trips its breaker, keeps that in the ConfigMap, and starts tripped from there", async () => {
    const all = await setup(quiet);
    const fatal = (nodeName: string) => ({
      version: 1,
      agent: "syslog-health-monitor",
      componentClass: "GPU",
      checkName: "SysLogsXIDError",
      isFatal: true,
      nodeName,
    });
    expect(await all.simulator.submit(fatal("n1"))).toBe("Quarantined");
    expect(await all.simulator.submit(fatal("n2"))).toBe("Quarantined");
    expect(await all.simulator.submit(fatal("n3"))).toBeUndefined();
    const kept = () =>
      all.api.table.collection("/api/v1/configmaps").get("nvsentinel/circuit-breaker");
    expect(kept()).toMatchObject({ data: { status: "TRIPPED", cursor: "RESUME" } });
    const next = createNvSentinelSimulator({
      client: all.client,
      clock: all.clock,
      random,
      read,
      kernelLogs: [],
      log: () => undefined,
    });
    expect(await next.submit(fatal("n4"))).toBeUndefined();
    expect(all.node("n4").spec?.unschedulable).not.toBe(true);
  });

  it("hands an event in again that the API server did not take", async () => {
    const clock = new VirtualClock();
    const all = await setup({ ...quiet, clock });
    follow(all);
    await all.simulator.poll();
    all.log.write(line(79));
    await waitUntil("the line was read", () => all.log.taken === 1);
    const intercept = all.api.intercept;
    all.api.intercept = (_, response) => {
      response.writeHead(403, { "content-type": "application/json" }).end('{"kind":"Status"}');
      return true;
    };
    await expect(all.simulator.poll()).rejects.toThrow();
    all.api.intercept = intercept;
    await all.simulator.poll();
    expect(all.node("n1").spec?.unschedulable).toBe(true);
  });

  it("handles two injections back to back, each with its own line", async () => {
    const all = await setup(quiet);
    follow(all);
    await all.simulator.poll();
    all.log.write(line(79));
    all.log.write(line(95));
    await waitUntil("both were read", () => all.log.taken === 2);
    await all.simulator.poll();
    const events = JSON.parse(
      all.node("n1").metadata.annotations?.["quarantineHealthEvent"] ?? "[]",
    ) as readonly { readonly errorCode: readonly string[] }[];
    expect(events.map(({ errorCode }) => errorCode[0])).toEqual(["79", "95"]);
    const opened = { ...all.node("n1"), spec: { unschedulable: false } };
    all.api.put(nodesPath, opened as unknown as FakeObject);
    await all.simulator.sweep();
    expect(all.node("n1").metadata.annotations).toEqual({
      quarantinedNodeUncordonedManually: "True",
    });
  });
});
