import { describe, expect, it } from "vitest";
import type { ClusterNode, Sign } from "../../../../src/validation/clusters/cluster.ts";
import { getFreeNodeList } from "../../../../src/validation/clusters/free-nodes.ts";
import { type Driven, dayMs, hourMs, minuteMs, quiet, requestFor, startCluster } from "./drive.ts";

const node = "sim-0001";
const broken = { ...quiet, nodes: 4, defectiveShare: 1, repairDays: 0 } as const;

function nodeOf({ cluster }: Driven, name = node): ClusterNode {
  const found = cluster.view().nodes.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no node ${name}`);
  return found;
}

function codesOf(one: ClusterNode): readonly string[] {
  return one.notFree.map(({ code }) => code);
}

describe("the nodes of a simulated cluster", () => {
  it("are as many as asked for, in racks, with GPUs and a SKU", () => {
    const { cluster } = startCluster({ nodes: 40, gpusPerNode: 4, nodesPerRack: 10 });
    const { nodes, trust } = cluster.view();
    expect(trust).toEqual({ state: "current" });
    expect(nodes).toHaveLength(40);
    expect(new Set(nodes.map(({ name }) => name)).size).toBe(40);
    expect(new Set(nodes.map(({ rack }) => rack)).size).toBe(4);
    expect(nodes[0]).toMatchObject({ name: node, gpus: 4, sku: "h100-sxm5-80gb" });
  });

  it("are busy for the share of time asked for, with jobs of one and of many nodes", async () => {
    const driven = startCluster({ ...quiet, nodes: 128, utilisation: 0.8 });
    let busy = 0;
    const sizes = new Set<number>();
    for (let step = 0; step < 48; step++) {
      const texts = driven.cluster.view().nodes.flatMap(({ notFree }) => {
        return notFree.filter(({ code }) => code === "busy").map(({ text }) => text);
      });
      busy += texts.length / 128 / 48;
      for (const text of new Set(texts)) sizes.add(texts.filter((one) => one === text).length);
      await driven.clock.advance(hourMs);
    }
    expect(busy).toBeGreaterThan(0.65);
    expect(busy).toBeLessThanOrEqual(0.8);
    expect(sizes).toContain(1);
    expect(Math.max(...sizes)).toBeGreaterThanOrEqual(8);
  });

  it("keep their looks until something changes, so that looking costs little", async () => {
    const driven = startCluster({ ...quiet, nodes: 50 });
    const before = driven.cluster.view();
    await driven.clock.advance(hourMs);
    expect(driven.cluster.view().nodes).toBe(before.nodes);
    await driven.cluster.submit(requestFor(driven, node));
    const after = driven.cluster.view();
    expect(after.nodes[0]).not.toBe(before.nodes[0]);
    expect(after.nodes.slice(1).every((one, at) => one === before.nodes[at + 1])).toBe(true);
    expect(codesOf(before.nodes[0] ?? nodeOf(driven))).toEqual([]);
  });

  it("do not answer for a while now and then", async () => {
    const driven = startCluster({ ...quiet, nodes: 8, lossesPer1000NodeDays: 3000 });
    const seen = new Set<string>();
    for (let step = 0; step < 200; step++) {
      seen.add(codesOf(nodeOf(driven)).join());
      await driven.clock.advance(10 * minuteMs);
    }
    expect(seen).toEqual(new Set(["", "not-ready"]));
  });
});

describe("signs of a simulated cluster", () => {
  it("tell of crashes on all nodes of a job and of kernel errors, each once, by time", async () => {
    const driven = startCluster({ nodes: 64, seed: "3", evidence: 4, defectiveShare: 0.2 });
    await driven.clock.advance(4 * dayMs);
    const signs = driven.cluster.takeSigns();
    expect(signs.map(({ atMs }) => atMs)).toEqual(
      signs.map(({ atMs }) => atMs).toSorted((a, b) => a - b),
    );
    const crashes = new Map<string, number>();
    for (const sign of signs) {
      if (sign.kind !== "crash") continue;
      const key = `${sign.job} ${sign.atMs}`;
      crashes.set(key, (crashes.get(key) ?? 0) + 1);
    }
    expect(Math.max(...crashes.values())).toBeGreaterThan(1);
    expect(driven.cluster.takeSigns()).toEqual([]);
  });

  it("come from defective nodes and, misleadingly, from healthy ones", async () => {
    const driven = startCluster({ nodes: 64, seed: "4", evidence: 4, defectiveShare: 0.2 });
    const defective = new Set(driven.cluster.truth().map((defect) => defect.node));
    await driven.clock.advance(8 * dayMs);
    const signs = driven.cluster.takeSigns();
    const causes = (kind: Sign["kind"]) =>
      new Set(signs.filter((sign) => sign.kind === kind).map((sign) => defective.has(sign.node)));
    expect(causes("crash")).toEqual(new Set([true, false]));
    expect(causes("kernel")).toEqual(new Set([true, false]));
  });

  it("are none where nothing breaks and no user is there", async () => {
    const driven = startCluster({ ...quiet, nodes: 16 });
    await driven.clock.advance(10 * dayMs);
    expect(driven.cluster.takeSigns()).toEqual([]);
  });
});

describe("a node that we close", () => {
  it("is open to checks and awaits its acceptance; closing twice is closing once", async () => {
    const driven = startCluster(broken);
    expect(await driven.cluster.controls.cordon(node, "failed")).toBe(true);
    expect(await driven.cluster.controls.cordon(node, "failed again")).toBe(true);
    const closed = nodeOf(driven);
    expect(closed).toMatchObject({ cordoned: true, awaitsAcceptance: true, notFree: [] });
    await driven.cluster.submit(requestFor(driven, node));
    await driven.clock.advance(5 * minuteMs);
    expect(driven.cluster.view().jobs[0]?.phase).toBe("running");
  });

  it("is repaired after about the hours asked for, and stays closed until we open it", async () => {
    const driven = startCluster({ ...broken, repairHours: 10 });
    await driven.cluster.controls.cordon(node, "failed");
    await driven.clock.advance(7 * hourMs);
    expect(driven.cluster.takeSigns()).toEqual([]);
    await driven.clock.advance(6 * hourMs);
    const [repair, ...more] = driven.cluster.takeSigns();
    expect([repair?.kind, repair?.node, more.length]).toEqual(["repair", node, 0]);
    const [truth] = driven.cluster.truth().filter((defect) => defect.node === node);
    expect(truth?.endMs).toBe(repair?.atMs);
    expect(nodeOf(driven)).toMatchObject({ cordoned: true, awaitsAcceptance: true, notFree: [] });
    expect(await driven.cluster.controls.uncordon(node, "passed")).toBe(true);
    expect(nodeOf(driven)).toMatchObject({ cordoned: false, awaitsAcceptance: false });
  });

  it("is out of order during its repair", async () => {
    const driven = startCluster({ ...broken, repairHours: 10 });
    await driven.cluster.controls.cordon(node, "failed");
    const seen = new Set<string>();
    for (let step = 0; step < 52; step++) {
      seen.add(codesOf(nodeOf(driven)).join());
      await driven.clock.advance(hourMs / 4);
    }
    expect(seen).toEqual(new Set(["", "not-ready"]));
  });

  it("keeps its defect when it is opened before anybody came; others keep theirs", async () => {
    const driven = startCluster({ ...broken, repairHours: 10 });
    await driven.cluster.controls.cordon(node, "failed");
    await driven.clock.advance(hourMs);
    expect(await driven.cluster.controls.uncordon(node, "by hand")).toBe(true);
    await driven.clock.advance(5 * dayMs);
    expect(driven.cluster.truth().filter(({ endMs }) => endMs !== undefined)).toEqual([]);
    expect(driven.cluster.takeSigns()).toEqual([]);
  });

  it("gets no user's job, and keeps the one it has to its end", async () => {
    const driven = startCluster({ ...quiet, nodes: 16, utilisation: 0.9, jobHours: 2 });
    const name = driven.cluster.view().nodes.find((one) => codesOf(one).includes("busy"))?.name;
    await driven.cluster.controls.cordon(name ?? "", "failed");
    const busy: boolean[] = [];
    for (let step = 0; step < 200; step++) {
      busy.push(codesOf(nodeOf(driven, name)).includes("busy"));
      await driven.clock.advance(hourMs / 2);
    }
    expect(busy[0]).toBe(true);
    expect(busy.lastIndexOf(true)).toBe(busy.indexOf(false) - 1);
    await driven.cluster.controls.uncordon(name ?? "", "passed");
    let again = false;
    for (let step = 0; step < 100 && !again; step++) {
      await driven.clock.advance(hourMs);
      again = codesOf(nodeOf(driven, name)).includes("busy");
    }
    expect(again).toBe(true);
  });

  it("is told from one that an operator closed, which we cannot open", async () => {
    const driven = startCluster({ ...quiet, nodes: 8, maintenancePer1000NodeDays: 3000 });
    let closed: ClusterNode | undefined;
    for (let step = 0; step < 200 && closed === undefined; step++) {
      await driven.clock.advance(10 * minuteMs);
      closed = driven.cluster.view().nodes.find(({ cordoned }) => cordoned);
    }
    expect(closed).toMatchObject({ cordoned: true, awaitsAcceptance: false });
    expect(getFreeNodeList(driven.cluster.view())).not.toContain(closed?.name);
    const name = closed?.name ?? "";
    expect(await driven.cluster.controls.uncordon(name, "passed")).toBe(false);
    expect(await driven.cluster.controls.cordon(name, "failed")).toBe(false);
    expect(nodeOf(driven, name).awaitsAcceptance).toBe(false);
  });

  it("keeps the marks set on it, until they are removed", async () => {
    const { cluster } = startCluster(broken);
    await cluster.controls.mark(node, { labels: { a: "1", b: "2" }, annotations: { why: "x" } });
    await cluster.controls.mark(node, { labels: { a: null } });
    expect([...(cluster.marksOf(node)?.labels ?? [])]).toEqual([["b", "2"]]);
    expect([...(cluster.marksOf(node)?.annotations ?? [])]).toEqual([["why", "x"]]);
    expect(cluster.marksOf("sim-9999")).toBeUndefined();
  });
});
