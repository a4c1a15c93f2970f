import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createHostWorld, type HostWorldOptions } from "../../../src/chaos/host/index.ts";
import { type ChaosPlan, defects, type PlannedFault } from "../../../src/chaos/plan/index.ts";
import type { InjectionRecord, RunRecord } from "../../../src/chaos/record/index.ts";
import { createSimWorld } from "../../../src/chaos/sim/index.ts";
import { clock, hostProgram } from "./support/host-program.ts";
import { whyNoDisk } from "./support/mounts.ts";
import { atStep, planned, rank, smallPlan } from "./support/small-plan.ts";

const program = hostProgram();
const storage = { kind: "storage" } as const;
const renamed = (id: string, fault: PlannedFault): PlannedFault => ({ ...fault, id });
const signal = new AbortController().signal;
const noDisk = await whyNoDisk();
const disks = [
  { disk: "ports", isPossible: true, title: "their own ports", effect: "a write was refused" },
  {
    disk: "tmpfs",
    isPossible: noDisk === undefined,
    title: noDisk === undefined ? "the kernel" : `the kernel (skipped: ${noDisk})`,
    effect: "ENOSPC",
  },
] as const;

/** The same in both worlds: how it ended, and with which bits. */
async function inBothWorlds(
  plan: ChaosPlan,
  options: Partial<HostWorldOptions> = {},
): Promise<RunRecord> {
  const simulated = await createSimWorld().run(plan, { signal });
  const real = await program.run(plan, options);
  expect({ end: real.end, digest: real.stateDigest }).toEqual({
    end: simulated.end,
    digest: simulated.stateDigest,
  });
  expect(real.residualFaults).toEqual([]);
  expect(await readdir(join(program.folder(), "state", "runs"))).toEqual([]);
  expect(await readdir(join(program.folder(), "state", "ledgers"))).toEqual([]);
  return real;
}

function isConfirmed({ injectedUs, effectUs, revertedUs }: InjectionRecord): boolean {
  return injectedUs !== null && effectUs !== null && effectUs >= injectedUs && revertedUs !== null;
}

let clean: string | null = null;
beforeAll(async () => {
  clean = (await createSimWorld().run(smallPlan(), { signal })).stateDigest;
});

describe("real processes on this machine", () => {
  it("lose a rank and a torn checkpoint, and end with the bits of a run without faults", async () => {
    const record = await inBothWorlds(
      smallPlan({
        faults: [
          planned("torn_write", storage, {
            trigger: { kind: "checkpoint", nth: 2, phase: "write" },
          }),
          planned("kill_device", rank(1), { trigger: atStep(10), forUs: 300_000 }),
        ],
      }),
    );
    expect(record.stateDigest).toBe(clean);
    expect(record.injections.every(isConfirmed)).toBe(true);
    expect(record.injections[1]?.effect).toContain("SIGKILL");
    const restores = record.events.flatMap((event) => (event.kind === "restore" ? [event] : []));
    expect(restores.map(({ phase, tag }) => `${phase} ${tag}`)).toEqual([
      "begun step-000008",
      "refused step-000008",
      "begun step-000004",
      "done step-000004",
    ]);
    expect(restores.at(-1)?.sameAsSaved).toBe(true);
  });

  it("are cut apart by the proxy, meet again when the cut ends, and go on", async () => {
    const record = await inBothWorlds(
      smallPlan({
        timeouts: { collectiveUs: 1_500_000 },
        faults: [
          planned("network_latency", rank(1), {
            trigger: atStep(2),
            params: { latencyUs: 10_000 },
            forUs: 1_500_000,
          }),
          planned(
            "partition",
            { kind: "cut", sides: [[0], [1]], asymmetric: false },
            { trigger: atStep(7), forUs: 6_000_000 },
          ),
        ],
      }),
    );
    expect(record.stateDigest).toBe(clean);
    expect(record.injections.every(isConfirmed)).toBe(true);
    expect(record.events.some(({ kind }) => kind === "detect")).toBe(true);
  });

  it("ride out a link that flaps when they wait long enough, and say so when they do not", async () => {
    const flap = (params: { readonly downUs: number; readonly upUs: number }) =>
      planned("link_flap", rank(1), { trigger: atStep(7), params });
    // What meets it down goes with the second retransmission, 0.6 s later.
    const patient = await inBothWorlds(
      smallPlan({
        timeouts: { heartbeatUs: 30_000_000, collectiveUs: 30_000_000 },
        faults: [flap({ downUs: 300_000, upUs: 500_000 })],
      }),
    );
    expect(patient.stateDigest).toBe(clean);
    expect(patient.injections.every(isConfirmed)).toBe(true);
    expect(patient.events.some(({ kind }) => kind === "detect")).toBe(false);
    const hasty = await inBothWorlds(
      smallPlan({
        policy: { onFailure: "failFast" },
        timeouts: { heartbeatUs: 30_000_000, collectiveUs: 1_500_000 },
        faults: [flap({ downUs: 20_000_000, upUs: 100_000 })],
      }),
    );
    expect(hasty.end).toBe("gave-up");
    expect(hasty.events.find(({ kind }) => kind === "detect")).toMatchObject({ by: "collective" });
  });

  it("give an exchange up that takes too long in all, though something moves now and then", async () => {
    const late = { latencyUs: 700_000 };
    const record = await inBothWorlds(
      smallPlan({
        shape: { dp: 4 },
        policy: { onFailure: "failFast" },
        timeouts: { heartbeatUs: 30_000_000, collectiveUs: 1_000_000 },
        faults: [planned("network_latency", rank(1), { trigger: atStep(4), params: late })],
      }),
    );
    expect(record.end).toBe("gave-up");
  });

  it("are preempted with a save, run out of disk, and are frozen", async () => {
    const record = await inBothWorlds(
      smallPlan({
        timeouts: { heartbeatEveryUs: 300_000, heartbeatUs: 4_000_000, drainUs: 1_000_000 },
        faults: [
          planned("full_storage", storage, {
            trigger: { kind: "checkpoint", nth: 3, phase: "write" },
            forUs: 1_000_000,
          }),
          planned("preempt", rank(1), {
            trigger: atStep(6),
            params: { graceUs: 10_000_000 },
            forUs: 1_000_000,
          }),
          renamed(
            "frozen",
            planned("freeze_worker", rank(0), { trigger: atStep(11), forUs: 30_000_000 }),
          ),
        ],
      }),
    );
    expect(record.stateDigest).toBe(clean);
    expect(record.injections.filter((one) => !isConfirmed(one))).toEqual([]);
    const saves = record.events.flatMap((event) => (event.kind === "save" ? [event] : []));
    expect(saves.find(({ phase }) => phase === "failed")?.reason).toContain("no space");
    // Steps 4 and 8 are saved anyway: what it went on from was saved because of the notice.
    const restored = record.events.find((event) => event.kind === "restore");
    expect(restored?.kind === "restore" && restored.step >= 6).toBe(true);
    const detected = record.events.flatMap((event) => (event.kind === "detect" ? event.by : []));
    expect(detected).toContain("notice");
  });

  it("cut over tensor and pipeline lose a stage and come back", async () => {
    const stage = { kind: "group", axis: "tp", ranks: [2, 3] } as const;
    const record = await inBothWorlds(
      smallPlan({
        shape: { dp: 1, tp: 2, pp: 2 },
        steps: 6,
        faults: [planned("fail_stage", stage, { trigger: atStep(5), forUs: 200_000 })],
      }),
    );
    expect(record.end).toBe("finished");
    expect(record.injections.every(isConfirmed)).toBe(true);
  });

  it("give up, named and clean, when the policy says so; a planted defect is found", async () => {
    const kill = planned("kill_device", rank(1), { trigger: atStep(3) });
    const record = await inBothWorlds(
      smallPlan({ steps: 6, policy: { onFailure: "failFast" }, faults: [kill] }),
    );
    expect(record.end).toBe("gave-up");
    const lost = await program.run(
      smallPlan({
        steps: 4,
        defects: ["lostUndo"],
        faults: [
          planned("network_latency", rank(1), {
            trigger: atStep(2),
            params: { latencyUs: 1000 },
            forUs: 1000,
          }),
        ],
      }),
    );
    expect(lost.residualFaults.join()).toContain("delay");
  });

  it("are ended when the run is aborted, and nothing of them is left", async () => {
    const stop = new AbortController();
    const record = await program.run(smallPlan({ steps: 100_000, every: 0 }), {
      signal: stop.signal,
      onEvent: ({ kind }) => {
        if (kind === "step") stop.abort(new Error("enough"));
      },
    });
    expect(record).toMatchObject({ end: "aborted", stateDigest: null, residualFaults: [] });
  });
});

describe.each(disks)("a full disk, by $title", ({ disk, effect, isPossible }) => {
  it.runIf(isPossible)(
    "fails the save, and the job comes back from an older checkpoint with the same bits",
    async () => {
      const plan = smallPlan({
        faults: [
          planned("full_storage", storage, {
            trigger: { kind: "checkpoint", nth: 2, phase: "write" },
            forUs: 1_000_000,
          }),
          planned("kill_device", rank(1), { trigger: atStep(10), forUs: 300_000 }),
        ],
      });
      const record = await inBothWorlds(plan, { disk });
      expect(record.stateDigest).toBe(clean);
      expect(record.injections.every(isConfirmed)).toBe(true);
      expect(record.injections[0]?.effect).toContain(effect);
      expect(record.notes.join()).toContain(disk === "tmpfs" ? "really filled" : "file port");
      const restored = record.events.flatMap((event) =>
        event.kind === "restore" ? [event.tag] : [],
      );
      expect(restored.at(-1)).toBe("step-000004");
    },
  );
});

describe("what this world refuses", () => {
  const world = createHostWorld({ command: ["node"], clock, env: {} });

  it("says why, each in a sentence", () => {
    const pods = planned("fragment_memory", rank(0), { trigger: atStep(1) });
    expect(world.refusals(smallPlan({ faults: [pods] })).join()).toContain("fragment_memory");
    expect(world.refusals(smallPlan({ shape: { dp: 60 } })).length).toBeGreaterThan(0);
    expect(world.refusals(smallPlan({ shape: { dp: 5 } })).join()).toContain("cannot be cut");
  });

  it("is nothing of a plan that it can run", () => {
    expect(world.refusals(smallPlan())).toEqual([]);
    expect(world.refusals(smallPlan({ defects: [...defects] }))).toEqual([]);
  });

  it("is not begun", async () => {
    const plan = smallPlan({ shape: { dp: 60 } });
    await expect(world.run(plan, { signal })).rejects.toMatchObject({ code: "E_WORLD" });
  });
});
