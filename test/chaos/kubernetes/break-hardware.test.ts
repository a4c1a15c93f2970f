import { describe, expect, it } from "vitest";
import { type DeedContext, deedsOf } from "../../../src/chaos/kubernetes/deeds/index.ts";
import {
  createKubernetesWorld,
  type HardwareHook,
  type HardwareInjection,
} from "../../../src/chaos/kubernetes/index.ts";
import type { PodView } from "../../../src/chaos/kubernetes/objects.ts";
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

const pod = (change: Partial<PodView> = {}): PodView => ({
  name: "server-1",
  uid: "u-1",
  isReady: true,
  hasSucceeded: false,
  isLeaving: false,
  node: "n-1",
  restarts: 2,
  ...change,
});

const contextWith = (
  hardware: HardwareHook | undefined,
  pods: () => readonly PodView[] = () => [],
): DeedContext => ({
  client: undefined as never,
  hardware,
  namespace: "serving",
  run: "k-1",
  pods,
  pod: () => undefined,
  leaseUntilMs: () => 0,
});

describe("a hardware fault of an experiment", () => {
  it("is one deed for each node, each under a name of its own that stays the same", async () => {
    const hook = new RecordingHook();
    const deeds = await deedsOf(fault(), contextWith(hook));
    for (const deed of deeds) await deed.act({ dryRun: false });
    expect(hook.injections).toMatchObject([
      { run: "k-1", fault: "gpu_xid", node: "n-1", namespace: "serving", durationMs: 2000 },
      { run: "k-1", fault: "gpu_xid", node: "n-2", namespace: "serving", durationMs: 2000 },
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
    const [deed] = await deedsOf(fault(), contextWith(hook));
    expect(await deed?.see()).toEqual({ why: "nobody has seen it" });
    await deed?.act({ dryRun: false });
    expect(await deed?.see()).toEqual({ effect: "a detector has closed the node" });
  });

  it("is looked at again at its end when detectors may do more, and not when pods may have moved", async () => {
    const hook = new RecordingHook();
    const [xid] = await deedsOf(fault(), contextWith(hook));
    await xid?.act({ dryRun: false });
    expect(await xid?.seeAtEnd?.()).toEqual({ effect: "a detector has closed the node" });
    const [cuda] = await deedsOf(fault({ fault: "cuda_error" }), contextWith(hook));
    expect(cuda).not.toHaveProperty("seeAtEnd");
  });

  describe("of CUDA calls", () => {
    const cuda = fault({ fault: "cuda_error" });
    const seenAfter = async (before: readonly PodView[], after: readonly PodView[]) => {
      let pods = before;
      const [deed] = await deedsOf(
        cuda,
        contextWith(new RecordingHook(), () => pods),
      );
      await deed?.act({ dryRun: false });
      pods = after;
      return deed?.see();
    };

    it.each([
      ["was restarted", pod({ restarts: 3 }), "on node n-1 pod server-1 was restarted"],
      ["is lost", pod({ isReady: false }), "on node n-1 pod server-1 is not ready any more"],
      [
        "came and failed",
        pod({ uid: "u-2", restarts: 1 }),
        "on node n-1 pod server-1 was restarted",
      ],
    ])("shows in a pod of the node that %s", async (_, after, effect) => {
      expect(await seenAfter([pod()], [after])).toEqual({ effect });
    });

    it.each([
      ["goes on", pod(), "the pods on node n-1 go on"],
      ["had failed before", pod({ isReady: false }), "the pods on node n-1 go on"],
      ["is elsewhere", pod({ node: "n-2", restarts: 9 }), "no pod of the workload is on node n-1"],
      ["was told to leave", pod({ isLeaving: true, isReady: false }), "no pod of the workload"],
    ])("does not show in a pod that %s", async (_, after, why) => {
      const before = after.isReady ? pod() : pod({ isReady: after.isLeaving });
      expect(await seenAfter([before], [after])).toEqual({ why: expect.stringContaining(why) });
    });

    it("does not show before it is armed, whatever pods do", async () => {
      const [deed] = await deedsOf(
        cuda,
        contextWith(new RecordingHook(), () => [pod({ restarts: 9 })]),
      );
      expect(await deed?.see()).toEqual({ why: "nobody has seen it" });
    });
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
