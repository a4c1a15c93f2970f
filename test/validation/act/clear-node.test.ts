import { describe, expect, it } from "vitest";
import { TesseraError } from "../../../src/platform/errors/index.ts";
import type { AuditEntry } from "../../../src/platform/store/index.ts";
import { type ClearPorts, clearNode } from "../../../src/validation/act/index.ts";
import type { NodeTraces } from "../../../src/validation/clusters/cluster.ts";
import type { NodeEvent } from "../../../src/validation/history/index.ts";

const by = { actor: "ann", reason: "uninstall" };

function ports(clear: () => Promise<NodeTraces | undefined>) {
  const audits: AuditEntry[] = [];
  const events: NodeEvent[] = [];
  const given: ClearPorts = {
    cluster: "prod",
    controls: { clear },
    history: { recordNodeEvents: async (added) => void events.push(...added) },
    audit: async (entry) => void audits.push(entry),
    nowMs: () => 1000,
    auditNowMs: () => 2000,
  };
  return { given, audits, events };
}

const traces = (isClosedByUs: boolean): NodeTraces => ({
  node: "n1",
  isClosedByUs,
  labels: ["tessera.dev/health"],
  annotations: [],
});

describe("clearing a node because a person says so", () => {
  it("is in the audit log before and after, and an opened node among its events", async () => {
    const { given, audits, events } = ports(async () => traces(true));
    expect(await clearNode("n1", by, given)).toEqual(traces(true));
    const entry = { atMs: 2000, actor: "ann", action: "node.clear", subject: "prod/n1" };
    const tookOff = ["tessera.dev/health"];
    expect(audits).toEqual([
      { ...entry, details: { phase: "begin", reason: "uninstall" } },
      { ...entry, details: { phase: "done", reason: "uninstall", opened: true, tookOff } },
    ]);
    expect(events).toMatchObject([
      { cluster: "prod", node: "n1", atMs: 1000, kind: "released", details: by },
    ]);
  });

  it("opens nothing in the records where nothing was closed by us", async () => {
    const { given, audits, events } = ports(async () => traces(false));
    await clearNode("n1", by, given);
    expect(events).toEqual([]);
    expect(audits.at(-1)?.details).toMatchObject({ phase: "done", opened: false });
  });

  it("says in the audit log that it failed, and records nothing", async () => {
    const error = new TesseraError("E_INTERNAL", { problem: "no right" });
    const { given, audits, events } = ports(() => Promise.reject(error));
    await expect(clearNode("n1", by, given)).rejects.toBe(error);
    expect(audits.map(({ details }) => details?.["phase"])).toEqual(["begin", "failed"]);
    expect(events).toEqual([]);
  });
});
