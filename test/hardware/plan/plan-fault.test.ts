import { describe, expect, it } from "vitest";
import type { GuardFacts } from "../../../src/hardware/guard/index.ts";
import {
  createFaultJudge,
  type DetectorPlan,
  planFault,
  renderPlan,
} from "../../../src/hardware/plan/index.ts";
import { fakeNodes, gpuNode, nodesPath } from "../detectors/support/fake-nodes.ts";
import {
  cudaAction,
  goodFacts,
  guardNode,
  known,
  passthroughAction,
  request,
  unknown,
  xidAction,
} from "../guard/support.ts";

const installed = (...parts: readonly string[]) =>
  ({ nvsentinel: known({ namespace: "nvsentinel", parts }) }) as Partial<GuardFacts>;
const whole = installed("syslog-health-monitor", "fault-quarantine", "node-drainer");

function detector(
  name: DetectorPlan["name"],
  facts: Partial<GuardFacts>,
  ...xids: readonly number[]
): DetectorPlan | undefined {
  const plan = planFault(request(xidAction("n1", ...xids)), goodFacts(facts));
  return plan.detectors.find((each) => each.name === name);
}

describe("planFault", () => {
  it("shows the very lines that will be written", () => {
    const action = { ...xidAction("n1", 79, 154), gpu: { pci: "0000:3b:00" } };
    const { lines } = planFault(request(action), goodFacts());
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^kernel: NVRM: Xid \(PCI:0000:3b:00\): 79, .* tessera=0123456789ab$/);
  });

  it("foretells a cordon where NVSentinel watches and quarantines", () => {
    expect(detector("nvsentinel", whole, 79)).toMatchObject({
      present: "yes",
      matched: true,
      isFatal: true,
      action: "RESTART_BM (RebootNode)",
      cordon: "yes",
    });
  });

  it("foretells none for a line that is not fatal, and where it only monitors", () => {
    expect(detector("nvsentinel", whole, 43)).toMatchObject({ isFatal: false, cordon: "no" });
    const monitor = installed("syslog-health-monitor");
    expect(detector("nvsentinel", monitor, 79)).toMatchObject({ isFatal: true, cordon: "no" });
  });

  it("takes the worst of a sequence", () => {
    expect(detector("nvsentinel", whole, 43, 95)).toMatchObject({
      isFatal: true,
      action: "COMPONENT_RESET (GPUReset)",
    });
  });

  it("knows what keeps NVSentinel from closing a node", () => {
    const node = (labels: Readonly<Record<string, string>>) => ({
      ...whole,
      nodes: known([guardNode("n1", { labels })]),
    });
    const gpu = { "nvidia.com/gpu.present": "true" };
    expect(detector("nvsentinel", node({}), 79)?.cordon).toBe("no");
    const out = { ...gpu, "nvsentinel.dgxc.nvidia.com/managed": "false" };
    expect(detector("nvsentinel", node(out), 79)?.cordon).toBe("no");
    expect(detector("nvsentinel", node(gpu), 79)?.cordon).toBe("yes");
    const tripped = { ...whole, breaker: known("TRIPPED" as const) };
    expect(detector("nvsentinel", tripped, 79)?.cordon).toBe("no");
  });

  it("says unknown where it could not look", () => {
    expect(detector("nvsentinel", { nvsentinel: unknown }, 79)).toMatchObject({
      present: "unknown",
      cordon: "unknown",
    });
    expect(detector("gpud", { otherDetectors: unknown }, 79)?.present).toBe("unknown");
    const plan = planFault(request(), goodFacts({ nvsentinel: unknown }));
    expect(plan.realReboot).toBe("unknown");
  });

  it("knows that gpud and DCGM close nothing, and what they say", () => {
    expect(detector("gpud", whole, 79)).toMatchObject({
      matched: true,
      isFatal: true,
      cordon: "no",
      action: expect.stringContaining("REBOOT_SYSTEM"),
    });
    expect(detector("dcgm", whole, 79)).toMatchObject({ matched: false, cordon: "no" });
  });

  it("foretells a real restart only where somebody would carry it out", () => {
    const reboot = (facts: Partial<GuardFacts>, ...xids: readonly number[]) =>
      planFault(request(xidAction("n1", ...xids)), goodFacts(facts)).realReboot;
    expect(reboot(whole, 79)).toBe("no");
    expect(reboot(installed("janitor"), 79)).toBe("yes");
    expect(reboot(installed("janitor"), 43)).toBe("no");
    expect(reboot(installed("janitor"), 74)).toBe("no");
  });

  it("lists the pods that are hit, by kind of fault, and what restarts", () => {
    const pods = known([
      { namespace: "team", name: "web-1", labels: {}, usesGpus: true, hasEnded: false },
      { namespace: "team", name: "done", labels: {}, usesGpus: true, hasEnded: true },
      { namespace: "other", name: "cpu", labels: {}, usesGpus: false, hasEnded: false },
    ]);
    const xid = planFault(request(), goodFacts({ ...whole, pods }));
    expect(xid.pods.map(({ name }) => name)).toEqual(["team/web-1"]);
    expect(xid.restarts).toBeUndefined();
    const cuda = planFault(request(cudaAction), goodFacts({ pods }));
    expect(cuda.pods[0]?.effect).toContain("CUDA calls fail");
    const passthrough = planFault(request(passthroughAction), goodFacts());
    expect(passthrough.restarts).toMatch(/replaced/);
  });

  it("counts the pods of other namespaces by what happens to them, and names none", () => {
    const pod = { namespace: "secret", labels: {}, usesGpus: true, hasEnded: false };
    const daemon = { kind: "DaemonSet", name: "payroll-exporter" };
    const pods = known([
      { ...pod, name: "payroll-1", owner: { kind: "ReplicaSet", name: "payroll" } },
      { ...pod, name: "payroll-2" },
      { ...pod, name: "payroll-exporter-1", owner: daemon },
      { ...pod, namespace: "team", name: "web-1" },
    ]);
    const plan = planFault(request(), goodFacts({ ...whole, pods }));
    expect(plan.pods.map(({ name }) => name)).toEqual([
      "team/web-1",
      "2 pods of other namespaces",
      "1 pod of another namespace",
    ]);
    expect(plan.pods[2]?.effect).toContain("DaemonSets");
    expect(JSON.stringify(plan)).not.toMatch(/secret|payroll/);
  });
});

describe("renderPlan", () => {
  it("says what is done, who reacts, and what the guard says", () => {
    const text = renderPlan(planFault(request(), goodFacts(whole)));
    expect(text).toContain("XID 79 in the kernel log of n1");
    expect(text).toContain("nvsentinel");
    expect(text).toContain("cordon: yes");
    expect(text).toContain("The guard lets it.");
  });

  it("names the rules that say no", () => {
    const text = renderPlan(planFault(request(), goodFacts({ namespace: known(null) })));
    expect(text).toContain("The guard says no: namespace.");
    expect(text).toContain("there is no namespace team");
  });
});

describe("createFaultJudge", () => {
  it("looks at the cluster and says no to what is not allowed", async () => {
    const { api, client, clock } = await fakeNodes();
    api.put(nodesPath, gpuNode("n1"));
    api.put("/api/v1/namespaces", { metadata: { name: "team" } });
    const judge = createFaultJudge({ client, clock, namespace: "tessera-hardware" });
    const { findings, plan, text } = await judge.judge(request());
    const refused = findings.filter(({ verdict }) => verdict === "refuse").map(({ rule }) => rule);
    expect(refused).toEqual(["namespace", "node-opt-in"]);
    expect(plan.guard).toBe(findings);
    expect(text).toContain("The guard says no");
  });
});
