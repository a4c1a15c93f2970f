import { describe, expect, it } from "vitest";
import { type DeedContext, deedsOf } from "../../../src/chaos/kubernetes/deeds/index.ts";
import {
  createKubernetesWorld,
  type HardwareHook,
  type HardwareInjection,
} from "../../../src/chaos/kubernetes/index.ts";
import { createKubernetesUndo } from "../../../src/chaos/kubernetes/undo.ts";
import type { ChaosPlan, PlannedFault } from "../../../src/chaos/plan/index.ts";

class RecordingHook implements HardwareHook {
  readonly calls: string[] = [];
  readonly injections: HardwareInjection[] = [];

  async plan({ id }: HardwareInjection): Promise<void> {
    this.calls.push(`plan ${id}`);
  }

  async inject(injection: HardwareInjection): Promise<void> {
    this.calls.push(`inject ${injection.id}`);
    this.injections.push(injection);
  }

  async see(id: string) {
    const there = this.injections.some((one) => one.id === id);
    return there ? { effect: "a detector has closed the node" } : { why: "nobody has seen it" };
  }

  async revert(id: string): Promise<void> {
    this.calls.push(`revert ${id}`);
  }
}

const fault = (change: Partial<PlannedFault> = {}): PlannedFault => ({
  id: "f-1",
  fault: "gpu_xid",
  targets: [
    { kind: "kubernetes-node", name: "n-1" },
    { kind: "kubernetes-node", name: "n-2" },
  ],
  params: { xid: 79, gpu: 0, sequence: "", allowRealReboot: false },
  trigger: { kind: "time", atUs: 0 },
  durationUs: 2_000_000,
  ...change,
});

const contextWith = (hardware: HardwareHook | undefined): DeedContext => ({
  client: undefined as never,
  hardware,
  namespace: "serving",
  run: "k-1",
  pod: () => undefined,
  leaseUntilMs: () => 0,
});

describe("a hardware fault of an experiment", () => {
  it("is one deed for each node, each under a name of its own that stays the same", async () => {
    const hook = new RecordingHook();
    const deeds = await deedsOf(fault(), contextWith(hook));
    for (const deed of deeds) await deed.act({ dryRun: false });
    expect(hook.injections).toMatchObject([
      { fault: "gpu_xid", node: "n-1", namespace: "serving", durationMs: 2000 },
      { fault: "gpu_xid", node: "n-2", namespace: "serving", durationMs: 2000 },
    ]);
    const ids = hook.injections.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    const again = new RecordingHook();
    for (const deed of await deedsOf(fault(), contextWith(again)))
      await deed.act({ dryRun: false });
    expect(again.injections.map(({ id }) => id)).toEqual(ids);
  });

  it("is only planned in a rehearsal", async () => {
    const hook = new RecordingHook();
    for (const deed of await deedsOf(fault(), contextWith(hook))) await deed.act({ dryRun: true });
    expect(hook.calls.map((call) => call.split(" ")[0])).toEqual(["plan", "plan"]);
  });

  it("shows what others saw of it, and nothing before it was done", async () => {
    const hook = new RecordingHook();
    const [deed] = await deedsOf(fault({ fault: "cuda_error" }), contextWith(hook));
    expect(await deed?.see()).toEqual({ why: "nobody has seen it" });
    await deed?.act({ dryRun: false });
    expect(await deed?.see()).toEqual({ effect: "a detector has closed the node" });
  });

  it("is taken back by its undo, also by whoever comes later", async () => {
    const hook = new RecordingHook();
    const [deed] = await deedsOf(fault(), contextWith(hook));
    const entry = { undo: deed?.undo } as never;
    await createKubernetesUndo(undefined as never, { hardware: hook })(entry);
    expect(hook.calls).toEqual([expect.stringMatching(/^revert chaos-[0-9a-f]{10}$/)]);
    await expect(createKubernetesUndo(undefined as never)(entry)).rejects.toThrow(
      "there is no fault API to take chaos-",
    );
  });

  it("is refused by a world that knows no fault API, and accepted by one that does", () => {
    const plan = {
      workload: { kind: "pods", namespace: "serving" },
      faults: [fault()],
      defects: [],
    } as unknown as ChaosPlan;
    const options = { client: undefined, clock: undefined, random: undefined, folder: "" } as never;
    expect(createKubernetesWorld(options).refusals(plan)).toEqual([
      "gpu_xid needs the fault API of the installation, and none was named.",
    ]);
    const hardware = new RecordingHook();
    expect(
      createKubernetesWorld({ ...(options as object), hardware } as never).refusals(plan),
    ).toEqual([]);
  });
});
