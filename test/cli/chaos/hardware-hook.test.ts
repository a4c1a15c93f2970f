import { describe, expect, it } from "vitest";
import { createFaultApiHook, type FaultApi } from "../../../src/cli/chaos/hardware-hook.ts";
import { TesseraError } from "../../../src/platform/errors/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";

type View = Awaited<ReturnType<FaultApi["get"]>>;
const view = (change: Partial<View>) =>
  ({
    kind: "xid",
    node: "n-1",
    state: "injected",
    sightings: [],
    message: null,
    ...change,
  }) as View;

function hookWith(api: Partial<FaultApi>) {
  const clock = new VirtualClock();
  const problems: string[] = [];
  const onProblem = (problem: string) => problems.push(problem);
  const hook = createFaultApiHook({ api: api as FaultApi, clock, onProblem });
  return { hook, clock, problems };
}

const xid = {
  id: "chaos-1",
  run: "k-1",
  fault: "gpu_xid",
  node: "n-1",
  namespace: "serving",
  params: { xid: 48, gpu: 2, sequence: "", allowRealReboot: false },
  durationMs: 2500,
} as const;
const cuda = {
  ...xid,
  fault: "cuda_error",
  params: { xid: 79, workload: "deployment/vllm", afterCalls: 3, probability: 0.5 },
} as const;

describe("hardware faults of an experiment, at the fault API", () => {
  it("are asked for with a name and a lease, and last as long as the plan says", async () => {
    const asked: unknown[] = [];
    const inject: FaultApi["inject"] = async (request) => {
      asked.push(request);
      return { ...view({}), note: "" };
    };
    const { hook } = hookWith({ inject });
    await hook.inject(xid);
    await hook.inject({ ...xid, params: { ...xid.params, sequence: "48-63" }, durationMs: null });
    await hook.inject(cuda);
    await hook.close();
    const common = { name: "chaos-1", run: "k-1", namespace: "serving", leaseSeconds: 15 };
    const gpu = { index: 2 };
    expect(asked).toMatchObject([
      {
        ...common,
        durationSeconds: 18,
        action: { kind: "xid", node: "n-1", gpu, lines: [{ xid: 48 }] },
      },
      { ...common, durationSeconds: 3600, action: { lines: [{ xid: 48 }, { xid: 63 }] } },
      {
        ...common,
        action: {
          kind: "cuda",
          workload: { namespace: "serving", kind: "deployment", name: "vllm" },
          fault: { xid: 79, afterCalls: 3, probability: 0.5 },
        },
      },
    ]);
  });

  it("fail when the agent could not carry them out, with its reason", async () => {
    const failed = view({ state: "failed", message: "there is no GPU 2" });
    const { hook } = hookWith({ inject: async () => ({ ...failed, note: "" }) });
    await expect(hook.inject(xid)).rejects.toThrow("there is no GPU 2");
    await hook.close();
  });

  it("are refused in a rehearsal for what the guard refuses, and not for what it only warns of", async () => {
    const findings = [
      { rule: "a", verdict: "warn", reason: "a third fault in a day" },
      { rule: "b", verdict: "refuse", reason: "the node does not have the label" },
    ] as const;
    const answer = (allowed: boolean) => ({
      plan: async () => ({ allowed, findings: [...findings], plan: {}, text: "" }),
    });
    await expect(hookWith(answer(true)).hook.plan(xid)).resolves.toBeUndefined();
    await expect(hookWith(answer(false)).hook.plan(xid)).rejects.toThrow(
      "The request to the fault API was refused: the node does not have the label.",
    );
  });

  it.each(["", "vllm", "pod/vllm", "deployment/"])(
    "need their workload as a kind and a name: not %j",
    async (workload) => {
      const { hook } = hookWith({});
      await expect(
        hook.inject({ ...cuda, params: { ...cuda.params, workload } }),
      ).rejects.toMatchObject({ code: "E_HW_WORKLOAD" });
      await hook.close();
    },
  );

  it("show what detectors did, and not the line that was our own doing", async () => {
    const line = { at: "", by: "tessera", what: "line" };
    const cordon = { at: "", by: "nvsentinel", what: "cordon" };
    const seen = async (change: Partial<View>) =>
      await hookWith({ get: async () => view(change) }).hook.see("chaos-1");
    expect(await seen({ sightings: [line] })).toEqual({
      why: "no detector has marked node n-1; the fault is injected",
    });
    expect(await seen({ sightings: [line, cordon, cordon] })).toEqual({
      effect: "cordon by nvsentinel",
    });
    expect(await seen({ kind: "cuda", state: "armed" })).toHaveProperty("why");
    expect(await seen({ kind: "cuda" })).toEqual({
      effect: "the control block of node n-1 is armed",
    });
  });

  it("are renewed while they are in force, and a renewal that fails is said", async () => {
    const renewed: string[] = [];
    let down = false;
    const { hook, clock, problems } = hookWith({
      inject: async () => ({ ...view({}), note: "" }),
      renew: async (run) => {
        if (down) throw new Error("nobody answers");
        renewed.push(run);
        return [];
      },
      revert: async () => ({ ...view({ state: "reverted" }), note: "" }),
    });
    await hook.inject(xid);
    await hook.inject({ ...cuda, id: "chaos-2" });
    await clock.advance(11_000);
    // Both are of one run, which is renewed as a whole.
    expect(renewed).toEqual(["k-1", "k-1"]);
    await hook.revert("chaos-2");
    down = true;
    await clock.advance(5_000);
    expect(problems).toEqual(["k-1 could not be renewed: nobody answers"]);
    await hook.revert("chaos-1");
    await clock.advance(20_000);
    expect(problems).toHaveLength(1);
    await hook.close();
  });

  it("that never came to be need no taking back; others that cannot be are an error", async () => {
    const failing = (problem: Error) => {
      const revert: FaultApi["revert"] = async () => {
        throw problem;
      };
      return hookWith({ revert }).hook;
    };
    const unknown = new TesseraError("E_HW_FAULT_UNKNOWN", { id: "chaos-1" });
    await expect(failing(unknown).revert("chaos-1")).resolves.toBeUndefined();
    await expect(failing(new Error("timeout")).revert("chaos-1")).rejects.toThrow("timeout");
  });
});
