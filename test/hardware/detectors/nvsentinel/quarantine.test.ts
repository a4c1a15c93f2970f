import { describe, expect, it } from "vitest";
import {
  breakerDefaults,
  checkBreaker,
  closedBreaker,
  countCordon,
} from "../../../../src/hardware/detectors/nvsentinel/breaker.ts";
import { readEventList } from "../../../../src/hardware/detectors/nvsentinel/event-list.ts";
import {
  type HealthEvent,
  nvSentinelConformance,
} from "../../../../src/hardware/detectors/nvsentinel/index.ts";
import {
  afterManualUncordon,
  quarantineDecision,
} from "../../../../src/hardware/detectors/nvsentinel/quarantine.ts";
import type { NodeObject } from "../../../../src/hardware/objects/index.ts";
import { observed } from "./observed.ts";

const gpu = { "nvidia.com/gpu.present": "true" };
const nowMs = Date.parse("2026-11-15T09:02:37Z");

function bare(name: string, more: Partial<NodeObject> = {}): NodeObject {
  return { spec: {}, ...more, metadata: { name, labels: gpu, ...more.metadata } };
}

function fatal(node: string, code = 79, pci = "0000:3b:00"): HealthEvent {
  return {
    version: 1,
    agent: "syslog-health-monitor",
    componentClass: "GPU",
    checkName: "SysLogsXIDError",
    isFatal: true,
    message: `Xid ${code}`,
    recommendedAction: 24,
    errorCode: [String(code)],
    entitiesImpacted: [{ entityType: "PCI", entityValue: pci }],
    nodeName: node,
    processingStrategy: 1,
  };
}

const healthy = (node: string, pci?: string): HealthEvent => ({
  version: 1,
  agent: "syslog-health-monitor",
  componentClass: "GPU",
  checkName: "SysLogsXIDError",
  isHealthy: true,
  nodeName: node,
  ...(pci === undefined ? {} : { entitiesImpacted: [{ entityType: "PCI", entityValue: pci }] }),
});

/** Exactly what is on the node, but for the times in labels, which are the clock's. */
function shown(node: NodeObject) {
  const { "nvidia.com/gpu.present": _gpu, ...labels } = node.metadata.labels ?? {};
  return {
    unschedulable: node.spec?.unschedulable === true,
    taints: node.spec?.taints ?? [],
    labels: withoutTimes(labels),
    annotations: node.metadata.annotations ?? {},
  };
}

function withoutTimes(labels: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [
      key,
      key.endsWith("-timestamp") && /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/.test(value)
        ? "<time>"
        : value,
    ]),
  );
}

describe("the observed run of fault-quarantine", () => {
  it("is reproduced step by step, node for node, to the letter", () => {
    const nodes = new Map(
      Array.from({ length: 10 }, (_, at) => [`n${at + 1}`, bare(`n${at + 1}`)]),
    );
    nodes.set("n7", bare("n7", { spec: { unschedulable: true } }));
    nodes.set("nogpu", bare("nogpu", { metadata: { labels: {} } }));
    let breaker = closedBreaker;
    const statuses: string[] = [];
    for (const [at, step] of nvSentinelConformance.entries()) {
      const seen = observed.steps[at];
      expect(seen?.step).toBe(step.title);
      if (step.kind === "breaker") {
        expect(breaker.status, step.title).toBe(seen?.observed.status);
        continue;
      }
      const node = nodes.get(step.node) ?? bare("?");
      if (step.kind === "uncordon") {
        const opened = { ...node, spec: { ...node.spec, unschedulable: false } };
        nodes.set(step.node, afterManualUncordon(opened) ?? opened);
      } else {
        breaker = checkBreaker(breaker, { gpuNodes: 10, nowMs, settings: breakerDefaults });
        // The event as it was handed in: with the id and the time that the annotation shows.
        const known = readEventList(seen?.observed.annotations?.["quarantineHealthEvent"]);
        const event = step.event.isHealthy ? step.event : (known.at(-1) ?? step.event);
        const outcome =
          breaker.status === "TRIPPED"
            ? { cordons: false }
            : quarantineDecision(node, event, nowMs);
        if (outcome.cordons) breaker = countCordon(breaker, step.node, nowMs);
        nodes.set(step.node, outcome.node ?? node);
        statuses.push(`${step.node}|${event.recommendedAction ?? 0}|${outcome.status ?? ""}`);
      }
      expect(shown(nodes.get(step.node) ?? node), step.title).toEqual({
        unschedulable: seen?.observed.unschedulable,
        taints: seen?.observed.taints,
        labels: withoutTimes(seen?.observed.labels ?? {}),
        annotations: seen?.observed.annotations,
      });
    }
    const rows = observed.store_rows.map((row) => {
      const [node, , action, status] = row.split("|");
      // The uncordon by hand turned this one into Cancelled later.
      return `${node}|${action}|${status === "Cancelled" ? "Quarantined" : status}`;
    });
    expect(statuses).toEqual(rows);
  });
});

describe("quarantineDecision", () => {
  it("counts a line that comes twice once", () => {
    const first = quarantineDecision(bare("n1"), fatal("n1"), nowMs);
    expect(first.cordons).toBe(true);
    const again = quarantineDecision(first.node ?? bare("n1"), fatal("n1"), nowMs);
    expect(again).toEqual({ status: "AlreadyQuarantined", cordons: false });
  });

  it("leaves an opted-out node alone, and takes one that says true", () => {
    for (const key of [
      "k8saas.nvidia.com/ManagedByNVSentinel",
      "nvsentinel.dgxc.nvidia.com/managed",
    ]) {
      const labelled = (value: string) =>
        bare("n1", { metadata: { labels: { ...gpu, [key]: value } } });
      expect(quarantineDecision(labelled("false"), fatal("n1"), nowMs).status).toBeUndefined();
      expect(quarantineDecision(labelled("true"), fatal("n1"), nowMs).status).toBe("Quarantined");
    }
  });

  it("keeps an event of two entities when only one is declared well, for ever", () => {
    const both = {
      ...fatal("n1"),
      entitiesImpacted: [
        { entityType: "PCI", entityValue: "0000:3b:00" },
        { entityType: "GPU_UUID", entityValue: "GPU-1" },
      ],
    };
    let node = quarantineDecision(bare("n1"), both, nowMs).node ?? bare("n1");
    for (let round = 0; round < 3; round++) {
      const outcome = quarantineDecision(node, healthy("n1", "0000:3b:00"), nowMs);
      expect(outcome.status).toBe("AlreadyQuarantined");
      node = outcome.node ?? node;
    }
    expect(node.spec?.unschedulable).toBe(true);
    expect(quarantineDecision(node, healthy("n1"), nowMs).status).toBe("UnQuarantined");
  });

  it("ignores a healthy event about something else, and on an open node", () => {
    const closed = quarantineDecision(bare("n1"), fatal("n1"), nowMs).node ?? bare("n1");
    expect(quarantineDecision(closed, healthy("n1", "0000:5d:00"), nowMs)).toEqual({
      cordons: false,
    });
    expect(quarantineDecision(bare("n1"), healthy("n1"), nowMs)).toEqual({ cordons: false });
  });

  it("closes a node again that was opened by hand, and forgets that", () => {
    const closed = quarantineDecision(bare("n1"), fatal("n1"), nowMs).node ?? bare("n1");
    const opened = afterManualUncordon({ ...closed, spec: { unschedulable: false } });
    expect(opened?.metadata.annotations).toEqual({ quarantinedNodeUncordonedManually: "True" });
    const again = quarantineDecision(opened ?? closed, fatal("n1"), nowMs);
    expect(again.node?.metadata.annotations).not.toHaveProperty(
      "quarantinedNodeUncordonedManually",
    );
    expect(again.node?.spec?.unschedulable).toBe(true);
  });

  it("takes no other open node for one that was opened by hand", () => {
    expect(afterManualUncordon(bare("n1"))).toBeUndefined();
    const closed = quarantineDecision(bare("n1"), fatal("n1"), nowMs).node ?? bare("n1");
    expect(afterManualUncordon(closed)).toBeUndefined();
  });
});
