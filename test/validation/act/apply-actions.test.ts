import { describe, expect, it } from "vitest";
import { TesseraError } from "../../../src/platform/errors/index.ts";
import type { AuditEntry } from "../../../src/platform/store/index.ts";
import {
  type ApplyPorts,
  applyActions,
  healthMarks,
  LabelMemory,
  type NodeAction,
} from "../../../src/validation/act/index.ts";
import type { NodeControls } from "../../../src/validation/clusters/cluster.ts";
import type { NodeEvent } from "../../../src/validation/history/index.ts";

const cordon = (node: string): NodeAction => ({
  kind: "cordon",
  node,
  reason: "It failed.",
  runIds: ["r1"],
  actor: "tessera",
});
const release = (node: string): NodeAction => ({ ...cordon(node), kind: "release" }) as NodeAction;
const label = (node: string, reason = "All checks passed."): NodeAction => ({
  kind: "label",
  node,
  verdict: "pass",
  reason,
});

/** Ports that write down everything in one list, in order. */
function recorder(change: Partial<NodeControls> = {}) {
  const log: string[] = [];
  const audits: AuditEntry[] = [];
  const events: NodeEvent[] = [];
  const marks: unknown[] = [];
  const controls: NodeControls = {
    mark: async (node, given) => {
      log.push(`mark ${node}`);
      marks.push(given);
    },
    cordon: async (node) => log.push(`cordon ${node}`) > 0,
    uncordon: async (node) => log.push(`uncordon ${node}`) > 0,
    traces: async () => [],
    clear: async () => undefined,
    ...change,
  };
  const ports: ApplyPorts = {
    cluster: "prod",
    controls,
    history: {
      recordNodeEvents: async (added) => {
        events.push(...added);
        log.push(...added.map(({ kind, node }) => `event ${kind} ${node}`));
      },
    },
    audit: async (entry) => {
      audits.push(entry);
      log.push(`audit ${entry.action} ${String(entry.details?.["phase"])}`);
    },
    labels: new LabelMemory(),
    nowMs: () => 1000,
    auditNowMs: () => 2000,
  };
  return { ports, log, audits, events, marks };
}

describe("doing what was decided", () => {
  it("is in the audit log before and after, and among the node's events", async () => {
    const { ports, log, audits, events } = recorder();
    const outcomes = await applyActions([cordon("n1"), release("n2")], "on", ports);
    expect(outcomes.map(({ result }) => result)).toEqual(["done", "done"]);
    expect(log).toEqual([
      "audit node.cordon begin",
      "cordon n1",
      "event cordoned n1",
      "audit node.cordon done",
      "audit node.release begin",
      "uncordon n2",
      "event released n2",
      "audit node.release done",
    ]);
    expect(audits[0]).toEqual({
      atMs: 2000,
      actor: "tessera",
      action: "node.cordon",
      subject: "prod/n1",
      details: { phase: "begin", reason: "It failed.", runIds: ["r1"] },
    });
    expect(events[0]).toEqual({
      cluster: "prod",
      node: "n1",
      atMs: 1000,
      kind: "cordoned",
      details: { reason: "It failed.", actor: "tessera", runIds: ["r1"] },
    });
  });

  it.each(["off", "dry-run"] as const)("changes nothing when it is %s", async (mode) => {
    const { ports, log } = recorder();
    const outcomes = await applyActions([cordon("n1"), label("n2")], mode, ports);
    expect(log).toEqual([]);
    expect(outcomes.map(({ result }) => result)).toEqual(
      mode === "off" ? [] : ["planned", "planned"],
    );
  });

  it("refuses where nodes cannot be changed", async () => {
    const { ports } = recorder();
    const outcomes = await applyActions([cordon("n1")], "on", { ...ports, controls: undefined });
    expect(outcomes).toMatchObject([{ result: "refused" }]);
  });

  it("records no release of a node that somebody else closed", async () => {
    const { ports, events, audits } = recorder({ uncordon: async () => false });
    const outcomes = await applyActions([release("n1")], "on", ports);
    expect(outcomes).toMatchObject([
      { result: "refused", problem: expect.stringContaining("somebody else closed it") },
    ]);
    expect(events).toEqual([]);
    expect(audits.map(({ details }) => details?.["phase"])).toEqual(["begin", "refused"]);
  });

  it("records no closing of a node that somebody else had closed", async () => {
    const { ports, events, audits } = recorder({ cordon: async () => false });
    const outcomes = await applyActions([cordon("n1")], "on", ports);
    expect(outcomes).toMatchObject([
      { result: "refused", problem: "somebody else had closed it, or it has left" },
    ]);
    expect(events).toEqual([]);
    expect(audits.map(({ details }) => details?.["phase"])).toEqual(["begin", "refused"]);
  });

  it("goes on with the rest when one fails, and says what failed", async () => {
    const { ports, events, audits } = recorder({
      cordon: async (node) => {
        if (node === "n1") throw new TesseraError("E_INTERNAL", { problem: "the API is away" });
        return true;
      },
    });
    const outcomes = await applyActions([cordon("n1"), cordon("n2")], "on", ports);
    expect(outcomes.map(({ result }) => result)).toEqual(["failed", "done"]);
    expect(outcomes[0]?.problem).toContain("E_INTERNAL");
    expect(events.map(({ node }) => node)).toEqual(["n2"]);
    expect(audits.map(({ details }) => details?.["phase"])).toEqual([
      "begin",
      "failed",
      "begin",
      "done",
    ]);
  });

  it("changes nothing that it could not write into the audit log first", async () => {
    const { ports, log } = recorder();
    const audit = () => Promise.reject(new Error("disk full"));
    const outcomes = await applyActions([cordon("n1")], "on", { ...ports, audit });
    expect(outcomes).toMatchObject([{ result: "failed" }]);
    expect(log).toEqual([]);
  });
});

describe("labels", () => {
  it("are set with the sentence and since when, and again only when they change", async () => {
    const { ports, log, marks } = recorder();
    await applyActions([label("n1"), label("n2")], "on", ports);
    expect(await applyActions([label("n1"), label("n2")], "on", ports)).toEqual([]);
    await applyActions([label("n1", "Other.")], "on", ports);
    expect(log).toEqual(["mark n1", "mark n2", "mark n1"]);
    expect(marks[0]).toEqual({
      labels: { [healthMarks.label]: "pass" },
      annotations: {
        [healthMarks.reason]: "All checks passed.",
        [healthMarks.since]: "1970-01-01T00:00:01.000Z",
      },
    });
  });

  it("are set again when they could not be, and no more of them are tried meanwhile", async () => {
    let isAway = true;
    const set: string[] = [];
    const { ports } = recorder({
      mark: async (node) => {
        if (isAway) throw new Error("away");
        set.push(node);
      },
    });
    const many = Array.from({ length: 20 }, (_, at) => label(`n${at}`));
    expect(await applyActions(many, "on", ports)).toHaveLength(3);
    isAway = false;
    expect(await applyActions(many, "on", ports)).toHaveLength(20);
    expect(set).toHaveLength(20);
  });

  it("are set a hundred at a time", async () => {
    const { ports } = recorder();
    const many = Array.from({ length: 250 }, (_, at) => label(`n${at}`));
    const rounds = [];
    for (let round = 0; round < 4; round++) {
      rounds.push((await applyActions(many, "on", ports)).length);
    }
    expect(rounds).toEqual([100, 100, 50, 0]);
  });

  it("are forgotten with their node", async () => {
    const { ports, log } = recorder();
    await applyActions([label("n1")], "on", ports);
    ports.labels.keepOnly(new Set());
    await applyActions([label("n1")], "on", ports);
    expect(log).toEqual(["mark n1", "mark n1"]);
  });
});
