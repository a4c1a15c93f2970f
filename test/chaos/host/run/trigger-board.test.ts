import { describe, expect, it } from "vitest";
import { SlotGate } from "../../../../src/chaos/host/run/slot-gate.ts";
import { TriggerBoard } from "../../../../src/chaos/host/run/trigger-board.ts";
import type { PlannedFault } from "../../../../src/chaos/plan/index.ts";
import { atStep, planned, rank, smallPlan } from "../support/small-plan.ts";

function boardOf(...faults: readonly PlannedFault[]) {
  const said: string[] = [];
  const timers: (() => void)[] = [];
  let release = () => {};
  const inForce = new Promise<void>((resolve) => {
    release = resolve;
  });
  const board = new TriggerBoard({
    plan: smallPlan({ faults }),
    inject: async ({ id }) => {
      said.push(`inject ${id}`);
      await inForce;
      said.push(`in force ${id}`);
    },
    go: (slot, token) => said.push(`go ${slot} ${token}`),
    rearm: () => said.push("rearm"),
    after: (_, callback) => timers.push(callback),
    onError: (error) => said.push(String(error)),
  });
  return { board, said, timers, release };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the board of triggers", () => {
  it("lets a worker go on only when the fault is in force", async () => {
    const { board, said, release } = boardOf(
      planned("freeze_worker", rank(1), { trigger: atStep(3) }),
    );
    board.tripped(1, { wire: "freeze_worker-1", token: 9, occasion: "" });
    await settled();
    expect(said).toEqual(["inject freeze_worker-1"]);
    release();
    await settled();
    expect(said).toEqual(["inject freeze_worker-1", "in force freeze_worker-1", "rearm", "go 1 9"]);
  });

  it("fires once: others at the same wire wait with the first", async () => {
    const { board, said, release } = boardOf(
      planned("freeze_worker", rank(1), { trigger: atStep(3) }),
    );
    board.tripped(1, { wire: "freeze_worker-1", token: 0, occasion: "" });
    board.tripped(0, { wire: "freeze_worker-1", token: 0, occasion: "" });
    await settled();
    expect(said).toEqual(["inject freeze_worker-1"]);
    release();
    await settled();
    expect(said.filter((word) => word.startsWith("inject"))).toHaveLength(1);
    expect(said).toContain("go 0 0");
    expect(board.wiresOf(1)).toEqual([]);
  });

  it("counts saves over all workers, and passes those that are not meant", async () => {
    const trigger = { kind: "checkpoint", nth: 2, phase: "write" } as const;
    const { board, said, release } = boardOf(
      planned("torn_write", { kind: "storage" }, { trigger }),
    );
    release();
    const trip = (slot: number, occasion: string) =>
      board.tripped(slot, { wire: "torn_write-1", token: 1, occasion });
    trip(0, "1 1 step-4");
    trip(1, "1 1 step-4");
    await settled();
    expect(said).toEqual(["go 0 1", "go 1 1"]);
    trip(1, "1 1 step-8");
    await settled();
    expect(said).toContain("inject torn_write-1");
  });

  it("wires the target alone, all for a store, and nobody for a time", () => {
    const { board, timers } = boardOf(
      planned("freeze_worker", rank(1), { trigger: atStep(3) }),
      planned("full_storage", { kind: "storage" }, { trigger: atStep(3) }),
      planned("kill_device", rank(0), { trigger: { kind: "time", atUs: 5 } }),
    );
    expect(board.wiresOf(0).map(({ id }) => id)).toEqual(["full_storage-1"]);
    expect(board.wiresOf(1).map(({ id }) => id)).toEqual(["freeze_worker-1", "full_storage-1"]);
    board.trainingBegins();
    board.trainingBegins();
    expect(timers).toHaveLength(1);
  });
});

describe("the gate of slots", () => {
  it("opens a slot when nobody closes it any more", () => {
    const gate = new SlotGate();
    gate.close(1, "dead", "a");
    gate.close(1, "dead too", "b");
    expect(gate.open(1, "a")).toBe(false);
    expect(gate.reasonOf(1)).toBe("dead too");
    expect(gate.open(1, "b")).toBe(true);
    expect(gate.reasonOf(1)).toBeUndefined();
    expect(gate.open(1, "b")).toBe(false);
  });
});
