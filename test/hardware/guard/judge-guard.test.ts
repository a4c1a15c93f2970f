import { describe, expect, it } from "vitest";
import { judgeGuard } from "../../../src/hardware/guard/index.ts";
import {
  cudaAction,
  fault,
  goodFacts,
  guardNode,
  known,
  nowMs,
  partitionAction,
  parts,
  passthroughAction,
  request,
  unknown,
  verdict,
  xidAction,
} from "./support.ts";

describe("judgeGuard", () => {
  it("lets a fault pass on a cluster where all is well", () => {
    for (const action of [xidAction(), cudaAction, passthroughAction, partitionAction])
      for (const { rule, verdict, reason } of judgeGuard(request(action), goodFacts()))
        expect(verdict, `${rule}: ${reason}`).toBe("ok");
  });

  it("refuses with the reason where a fact could not be read, each alone", () => {
    const facts = ["nodes", "namespace", "pods", "budgets", "faults", "breaker", "nvsentinel"];
    const installed = { nvsentinel: parts("fault-quarantine") };
    for (const fact of facts) {
      const findings = judgeGuard(request(), goodFacts({ ...installed, [fact]: unknown }));
      const refused = findings.filter((each) => each.verdict === "refuse");
      expect(refused.length, fact).toBeGreaterThan(0);
      for (const { reason } of refused) expect(reason).toContain("the API server is away");
    }
  });

  it("says nothing about nodes for a fault that is on none", () => {
    const rules = judgeGuard(request(passthroughAction), goodFacts()).map(({ rule }) => rule);
    expect(rules).toEqual(["namespace", "already-broken"]);
  });
});

describe("namespace", () => {
  const unlabelled = { namespace: known({ name: "team", labels: {} }) };
  it("needs the label or the list", () => {
    expect(verdict("namespace")).toBe("ok");
    expect(verdict("namespace", { facts: unlabelled })).toBe("refuse");
    expect(verdict("namespace", { facts: unlabelled, limits: { namespaces: ["team"] } })).toBe(
      "ok",
    );
    expect(verdict("namespace", { facts: { namespace: known(null) } })).toBe("refuse");
  });
});

describe("the node", () => {
  const with1 = (more: Parameters<typeof guardNode>[1]) => ({
    facts: { nodes: known([guardNode("n1", more), guardNode("n2")]) },
  });
  it("has to be there, ready and opted in", () => {
    expect(verdict("node-ready", with1({}))).toBe("ok");
    expect(verdict("node-ready", with1({ ready: "no" }))).toBe("refuse");
    expect(verdict("node-ready", with1({ ready: "unknown" }))).toBe("refuse");
    expect(verdict("node-ready", { request: request(xidAction("n99")) })).toBe("refuse");
    expect(verdict("node-opt-in", with1({ labels: {} }))).toBe("refuse");
    expect(verdict("node-opt-in", with1({ labels: { "tessera.dev/hardware-faults": "no" } }))).toBe(
      "refuse",
    );
    expect(verdict("node-opt-in", { limits: { denyNodes: ["n1"] } })).toBe("refuse");
  });

  it("may be closed already, and is said to stay so", () => {
    const cordon = { cordoned: true, by: "other", evidence: "no detector's mark" } as const;
    expect(verdict("node-ready", with1({ cordon }))).toBe("warn");
  });
});

describe("already-broken", () => {
  const on = (...faults: readonly ReturnType<typeof fault>[]) => ({ faults: known(faults) });
  it("refuses a node that another run breaks, not one of the same run", () => {
    const other = fault(xidAction(), { run: "run-2" });
    expect(verdict("already-broken", { facts: on(other) })).toBe("refuse");
    expect(verdict("already-broken", { facts: on(fault(xidAction())) })).toBe("ok");
    expect(verdict("already-broken", { facts: on(fault(xidAction("n2"), { run: "run-2" })) })).toBe(
      "ok",
    );
  });

  it("takes no notice of faults that are over", () => {
    const over = fault(xidAction(), { run: "run-2", state: "reverted" });
    expect(verdict("already-broken", { facts: on(over) })).toBe("ok");
  });

  it("refuses the same control block, workload or policy twice", () => {
    for (const action of [cudaAction, passthroughAction, partitionAction]) {
      const facts = on(fault(action));
      expect(verdict("already-broken", { request: request(action), facts })).toBe("refuse");
    }
    const elsewhere = on(fault({ ...cudaAction, node: "n2" }));
    expect(verdict("already-broken", { request: request(cudaAction), facts: elsewhere })).toBe(
      "ok",
    );
  });
});

describe("how many", () => {
  const broken = (...nodes: readonly string[]) => ({
    faults: known(nodes.map((node) => fault(xidAction(node)))),
  });
  it("limits the nodes at once", () => {
    expect(verdict("nodes-at-once", { facts: broken("n2") })).toBe("ok");
    expect(verdict("nodes-at-once", { facts: broken("n1", "n2") })).toBe("ok");
    expect(verdict("nodes-at-once", { facts: broken("n2", "n3") })).toBe("refuse");
    expect(verdict("nodes-at-once", { facts: broken("n2", "n3"), limits: { nodesMax: 3 } })).toBe(
      "ok",
    );
  });

  it("limits their part of the GPU nodes, and always allows one", () => {
    expect(verdict("percent", { facts: broken("n2") })).toBe("ok");
    expect(verdict("percent", { facts: broken("n2", "n3") })).toBe("refuse");
    const two = { nodes: known([guardNode("n1"), guardNode("n2")]) };
    expect(verdict("percent", { facts: two })).toBe("ok");
    expect(verdict("percent", { facts: { ...two, ...broken("n2") } })).toBe("refuse");
  });
});

describe("breaker", () => {
  const installed = { nvsentinel: parts("fault-quarantine") };
  const counted = (count: number) =>
    known(
      Array.from({ length: 10 }, (_, at) =>
        guardNode(`n${at + 1}`, { countsForBreaker: at >= 10 - count }),
      ),
    );

  it("refuses the cordon that reaches half of the GPU nodes, rounded up", () => {
    expect(verdict("breaker", { facts: { ...installed, nodes: counted(3) } })).toBe("ok");
    expect(verdict("breaker", { facts: { ...installed, nodes: counted(4) } })).toBe("refuse");
  });

  it("counts our own faults that NVSentinel has not come to yet, also those just ended", () => {
    const ours = ["n7", "n8", "n9", "n10"].map((node) => fault(xidAction(node)));
    expect(verdict("breaker", { facts: { ...installed, faults: known(ours) } })).toBe("refuse");
    const ended = ours.map((each) => fault(each.spec.action, { state: "reverted" }));
    expect(verdict("breaker", { facts: { ...installed, faults: known(ended) } })).toBe("refuse");
    const old = ours.map((each) =>
      fault(each.spec.action, { state: "reverted", at: nowMs - 300_001 }),
    );
    expect(verdict("breaker", { facts: { ...installed, faults: known(old) } })).toBe("ok");
  });

  it("refuses while it has tripped, and does not care where it is not installed", () => {
    const tripped = { breaker: known("TRIPPED" as const) };
    expect(verdict("breaker", { facts: { ...installed, ...tripped } })).toBe("refuse");
    expect(verdict("breaker", { facts: tripped })).toBe("ok");
  });

  it("has nothing to do with a line that is not fatal, or a node that NVSentinel does not see", () => {
    const facts = { ...installed, nodes: counted(9) };
    expect(verdict("breaker", { facts, request: request(xidAction("n1", 43)) })).toBeUndefined();
    const unseen = known([guardNode("n1", { labels: {} })]);
    expect(verdict("breaker", { facts: { ...installed, nodes: unseen } })).toBe("ok");
  });
});

describe("cooldown", () => {
  const ended = (agoMs: number, run = "run-0") => ({
    faults: known([fault(xidAction(), { run, state: "reverted", at: nowMs - agoMs })]),
  });
  it("lets a node rest after its last XID", () => {
    expect(verdict("cooldown", { facts: ended(29_999) })).toBe("refuse");
    expect(verdict("cooldown", { facts: ended(30_000) })).toBe("ok");
    expect(verdict("cooldown", { facts: ended(1), limits: { cooldownSeconds: 0 } })).toBe("ok");
  });

  it("lets a run go on, and other nodes alone", () => {
    expect(verdict("cooldown", { facts: ended(1, "run-1") })).toBe("ok");
    expect(verdict("cooldown", { facts: ended(1), request: request(xidAction("n2")) })).toBe("ok");
    expect(verdict("cooldown", { facts: ended(1), request: request(cudaAction) })).toBeUndefined();
  });
});
