import { describe, expect, it } from "vitest";
import { guardLimitsDefaults, guardLimitsSchema } from "../../../src/hardware/guard/index.ts";
import {
  cudaAction,
  fault,
  finding,
  known,
  parts,
  passthroughAction,
  request,
  verdict,
  xidAction,
} from "./support.ts";

describe("budgets", () => {
  const pod = {
    namespace: "team",
    name: "web-1",
    labels: { app: "web" },
    usesGpus: true,
    hasEnded: false,
  };
  const selector = { matchLabels: { app: "web" } };
  const budget = { namespace: "team", name: "web", disruptionsAllowed: 0, selector };
  const full = { pods: known([pod]), budgets: known([budget]) };
  const drained = { ...full, nvsentinel: parts("node-drainer") };

  it("refuses where a drain would meet a budget that is used up", () => {
    expect(verdict("budgets", { facts: drained })).toBe("refuse");
    expect(verdict("budgets", { facts: drained, limits: { drainMode: "Immediate" } })).toBe(
      "refuse",
    );
    expect(verdict("budgets", { facts: drained, limits: { drainMode: "AllowCompletion" } })).toBe(
      "warn",
    );
    expect(verdict("budgets", { facts: drained, limits: { allowBlockedBudgets: true } })).toBe(
      "warn",
    );
  });

  it("only warns where nobody drains, and for CUDA errors", () => {
    expect(verdict("budgets", { facts: full })).toBe("warn");
    expect(verdict("budgets", { facts: drained, request: request(cudaAction) })).toBe("warn");
  });

  it("is content with a budget that allows one, and with one of other pods", () => {
    const free = known([{ ...budget, disruptionsAllowed: 1 }]);
    expect(verdict("budgets", { facts: { ...drained, budgets: free } })).toBe("ok");
    const other = known([{ ...budget, selector: { matchLabels: { app: "db" } } }]);
    expect(verdict("budgets", { facts: { ...drained, budgets: other } })).toBe("ok");
    const elsewhere = known([{ ...budget, namespace: "other" }]);
    expect(verdict("budgets", { facts: { ...drained, budgets: elsewhere } })).toBe("ok");
  });
});

describe("co-tenants", () => {
  const pod = { namespace: "other", name: "x", labels: {}, usesGpus: true, hasEnded: false };
  it("refuses where somebody else's GPU pod is on the node", () => {
    expect(verdict("co-tenants", { facts: { pods: known([pod]) } })).toBe("refuse");
    const limits = { allowCoTenants: true };
    expect(verdict("co-tenants", { facts: { pods: known([pod]) }, limits })).toBe("warn");
  });

  it("does not count pods without GPUs, of the same namespace, of DaemonSets, or ended ones", () => {
    const harmless = [
      { ...pod, usesGpus: false },
      { ...pod, namespace: "team" },
      { ...pod, owner: { kind: "DaemonSet", name: "dcgm" } },
      { ...pod, hasEnded: true },
    ];
    expect(verdict("co-tenants", { facts: { pods: known(harmless) } })).toBe("ok");
  });
});

describe("what is said about other namespaces", () => {
  const pod = { labels: { app: "web" }, usesGpus: true, hasEnded: false };
  const pods = known([
    { ...pod, namespace: "team", name: "web-1" },
    { ...pod, namespace: "secret", name: "payroll-1" },
    { ...pod, namespace: "secret", name: "payroll-2" },
  ]);

  it("is how many GPU pods, not which", () => {
    const { reason } = finding("co-tenants", { facts: { pods } }) ?? { reason: "" };
    expect(reason).toContain("2 GPU pods of other namespaces");
    expect(reason).not.toMatch(/secret|payroll/);
  });

  it("is how many budgets, while the own ones have names", () => {
    const selector = { matchLabels: { app: "web" } };
    const budgets = known(
      ["team", "secret"].map((namespace) => ({
        namespace,
        name: `${namespace}-budget`,
        disruptionsAllowed: 0,
        selector,
      })),
    );
    const { reason } = finding("budgets", { facts: { pods, budgets } }) ?? { reason: "" };
    expect(reason).toContain("team/team-budget and 1 of other namespaces");
    expect(reason).not.toContain("secret");
  });

  it("is that they break the node, while an own fault and its run have names", () => {
    const broken = (namespace: string) =>
      finding("already-broken", {
        facts: {
          faults: known([fault(xidAction(), { run: "run-2", name: "xid-2", namespace })]),
        },
      });
    expect(broken("team")?.reason).toBe("n1 is broken by xid-2 of the run run-2");
    expect(broken("secret")).toEqual({
      rule: "already-broken",
      verdict: "refuse",
      reason: "n1 is broken by 1 fault of another namespace",
    });
  });
});

describe("own-pods", () => {
  const pod = { namespace: "team", name: "x", labels: {}, usesGpus: true, hasEnded: false };
  it("warns where no pod of the namespace under test would notice", () => {
    for (const harmless of [[], [{ ...pod, namespace: "other" }], [{ ...pod, hasEnded: true }]])
      for (const action of [xidAction(), cudaAction])
        expect(
          verdict("own-pods", { request: request(action), facts: { pods: known(harmless) } }),
        ).toBe("warn");
  });

  it("is content with one, and has nothing to say about a fault that is on no node", () => {
    expect(verdict("own-pods", { facts: { pods: known([pod]) } })).toBe("ok");
    expect(verdict("own-pods", { request: request(passthroughAction) })).toBeUndefined();
  });
});

describe("real-reboot", () => {
  const remediation = { nvsentinel: parts("fault-remediation", "janitor") };
  it("refuses a line that would really restart the machine, unless that is meant", () => {
    expect(verdict("real-reboot", { facts: remediation })).toBe("refuse");
    const meant = request(xidAction(), { allowRealReboot: true });
    const limits = { allowRealReboots: true };
    expect(verdict("real-reboot", { facts: remediation, request: meant, limits })).toBe("warn");
    expect(verdict("real-reboot", { facts: remediation, limits })).toBe("refuse");
  });

  it("refuses it also to a caller who means it, unless the API was started for that", () => {
    const meant = request(xidAction(), { allowRealReboot: true });
    expect(finding("real-reboot", { facts: remediation, request: meant })).toMatchObject({
      verdict: "refuse",
      reason: expect.stringContaining("--allow-real-reboots"),
    });
    expect(verdict("real-reboot", { request: meant })).toBe("ok");
  });

  it("lets it where nobody would act, or for a line that asks for nothing", () => {
    expect(verdict("real-reboot")).toBe("ok");
    const harmless = request(xidAction("n1", 43));
    expect(verdict("real-reboot", { facts: remediation, request: harmless })).toBe("ok");
    const support = request(xidAction("n1", 74));
    expect(verdict("real-reboot", { facts: remediation, request: support })).toBe("ok");
  });

  it("looks at every line of a sequence, and at its text", () => {
    const second = request(xidAction("n1", 43, 95));
    expect(verdict("real-reboot", { facts: remediation, request: second })).toBe("refuse");
    const none = { ...xidAction("n1", 154), lines: [{ xid: 154, text: "to 0x0 (None)" }] };
    expect(verdict("real-reboot", { facts: remediation, request: request(none) })).toBe("ok");
    expect(
      verdict("real-reboot", { facts: remediation, request: request(xidAction("n1", 154)) }),
    ).toBe("refuse");
  });
});

describe("repeats", () => {
  const earlier = (count: number) =>
    known(Array.from({ length: count }, () => fault(xidAction(), { state: "reverted" })));
  const analyzer = { nvsentinel: parts("health-events-analyzer") };
  it("warns at the third of a day and refuses the fifth", () => {
    const verdicts = [1, 2, 3, 4].map((count) =>
      verdict("repeats", { facts: { ...analyzer, faults: earlier(count) } }),
    );
    expect(verdicts).toEqual(["ok", "warn", "warn", "refuse"]);
  });

  it("only warns without the analyzer, and counts the same XID of the same GPU alone", () => {
    expect(verdict("repeats", { facts: { faults: earlier(9) } })).toBe("warn");
    const other = request(xidAction("n1", 48));
    expect(verdict("repeats", { facts: { ...analyzer, faults: earlier(9) }, request: other })).toBe(
      "ok",
    );
    const gpu = request({ ...xidAction(), gpu: { index: 1 } });
    expect(verdict("repeats", { facts: { ...analyzer, faults: earlier(9) }, request: gpu })).toBe(
      "ok",
    );
  });
});

describe("sequence", () => {
  it("limits lines and time, and refuses lines that cannot be written", () => {
    const many = request(xidAction("n1", ...Array.from({ length: 17 }, () => 79)));
    expect(verdict("sequence", { request: many })).toBe("refuse");
    const slow = { ...xidAction(), lines: [{ xid: 79 }, { xid: 154, delayMs: 120_001 }] };
    expect(verdict("sequence", { request: request(slow) })).toBe("refuse");
    expect(verdict("sequence", { request: request({ ...xidAction(), lines: [] }) })).toBe("refuse");
    expect(verdict("sequence", { request: request(xidAction("n1", 998)) })).toBe("refuse");
    const broken = { ...xidAction(), lines: [{ xid: 79, text: "two\nlines" }] };
    expect(verdict("sequence", { request: request(broken) })).toBe("refuse");
    expect(verdict("sequence", { request: request(xidAction("n1", 79, 154)) })).toBe("ok");
  });
});

describe("guardLimitsSchema", () => {
  it("has a careful default for everything and refuses what it does not know", () => {
    expect(guardLimitsSchema.parse({})).toEqual(guardLimitsDefaults);
    expect(guardLimitsSchema.safeParse({ nodesMax: 0 }).success).toBe(false);
    expect(guardLimitsSchema.safeParse({ nodeMax: 3 }).success).toBe(false);
  });
});
