import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openLedger } from "../../../src/chaos/ledger/index.ts";
import { findLeftovers, markOf, markText, recoverOnSlurm } from "../../../src/chaos/slurm/index.ts";
import { createSlurmUndo, undoes } from "../../../src/chaos/slurm/undo.ts";
import { ownIdentity } from "../../../src/platform/process/process-identity.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { unreachable } from "../../platform/slurm/fake-slurm.ts";
import { run, site } from "./support/site.ts";

const hourMs = 3_600_000;
const drain = "{ fault: drain_node, target: { slurmNode: g3 }, at: { time: 50ms } }";

describe("the mark on a node", () => {
  it("is read as it was written, and nobody else's reason is taken for one", () => {
    const names = fc.stringMatching(/^[a-z0-9-]{1,40}$/);
    const times = fc.integer({ min: 0, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(names, times, (name, untilMs) => {
        const mark = { run: name, untilMs };
        expect(markOf({ reason: markText(mark) })).toEqual(mark);
        // What slurmctld adds, since 23.02, when the node goes down.
        expect(markOf({ reason: `${markText(mark)} : Not responding` })).toEqual(mark);
        expect(markOf({ reason: `${markText(mark)}; bad disk` })).toBeUndefined();
      }),
    );
    expect(markOf({ reason: "" })).toBeUndefined();
    expect(markOf({ reason: "bad disk" })).toBeUndefined();
    // A time that nobody can read is over.
    expect(markOf({ reason: "Tessera chaos experiment s-1 until later" })?.untilMs).toBe(0);
  });
});

describe("what a run has left whose runner is gone", () => {
  /** A ledger of a process that is no more, with a drain of g3 in it, as far as that got. */
  const killedRunner = async (isDone: boolean) => {
    const at = await site();
    const { client, clock } = at.options;
    await run(at, { faults: [drain.replace(" }", " }, for: 100ms")] });
    const { readdir } = await import("node:fs/promises");
    const [cluster = ""] = await readdir(at.options.folder);
    const folder = `${at.options.folder}/${cluster}`;
    const owner = { ...(await ownIdentity()), pid: 2 ** 22 + 1, startTicks: "1" };
    const ledger = await openLedger({ folder, run: "s-dead", clock, owner });
    const undo = undoes.release({ node: "g3", run: "s-dead" });
    await ledger.plan({ fault: "drain_node", target: "node g3", undo });
    if (isDone) {
      const reason = markText({ run: "s-dead", untilMs: clock.nowMs() + hourMs });
      await client.updateNode("g3", { state: "DRAIN", reason });
    }
    return at;
  };

  it("is taken back by whoever comes next, though its time is not over", async () => {
    const at = await killedRunner(true);
    expect(await recoverOnSlurm(at.options)).toEqual([
      "taken back from an earlier run: drain_node of node g3",
    ]);
    expect((await at.slurm.nodes())[3]).toMatchObject({ reason: "", flags: [] });
    expect(await recoverOnSlurm(at.options)).toEqual([]);
  });

  it("changes nothing where it never came to be", async () => {
    const at = await killedRunner(false);
    const before = await at.slurm.nodes();
    await recoverOnSlurm(at.options);
    expect(await at.slurm.nodes()).toEqual(before);
  });

  it("stays written down while nobody can be asked, and is taken back later", async () => {
    const at = await killedRunner(true);
    at.slurm.test.failWith(unreachable(), ["updateNode"]);
    const notes = await recoverOnSlurm(at.options);
    expect(notes).toEqual(["drain_node of node g3 of an earlier run is still in force"]);
    at.slurm.test.failWith(undefined);
    await recoverOnSlurm(at.options);
    expect(await findLeftovers(at.slurm)).toEqual([]);
  });

  it("without a ledger here is left until its time is over, and then taken back", async () => {
    const at = await site();
    const nowMs = at.clock.nowMs();
    const mark = (untilMs: number) => markText({ run: "s-far", untilMs });
    await at.slurm.updateNode("g2", { state: "DRAIN", reason: mark(nowMs + hourMs) });
    await at.slurm.updateNode("g3", { state: "DRAIN", reason: mark(nowMs - 1) });
    await at.slurm.updateNode("g1", { state: "DRAIN", reason: "bad disk" });
    expect(await recoverOnSlurm(at.options)).toEqual([
      "taken back from an earlier run: node g3 of run s-far",
    ]);
    expect((await findLeftovers(at.slurm)).map(({ node }) => node)).toEqual(["g2"]);
    expect((await at.slurm.nodes())[1]).toMatchObject({ reason: "bad disk", flags: ["DRAIN"] });
  });
});

it("an operator's node that we may not open is told of, and stops nobody", async () => {
  const at = await site();
  const reason = markText({ run: "s-far", untilMs: at.clock.nowMs() - 1 });
  await at.slurm.updateNode("g2", { state: "DRAIN", reason });
  await at.slurm.updateNode("g3", { state: "DRAIN", reason });
  const { updateNode } = at.slurm;
  at.slurm.updateNode = async (name, change) => {
    if (name === "g2") throw new Error("Invalid user id");
    await updateNode(name, change);
  };
  const killStep = "{ fault: kill_step, target: { slurmJob: true }, at: { time: 50ms } }";
  at.slurm.cancel = async () => at.slurm.test.setSteps(at.job, []);
  const record = await run(at, { faults: [killStep] });
  expect(record.end).toBe("finished");
  expect(record.notes).toContain("node g2 of run s-far could not be taken back: Invalid user id");
  expect(record.notes).toContain("taken back from an earlier run: node g3 of run s-far");
});

describe("a daemon that was killed", () => {
  const entry = { undo: undoes.daemon({ node: "g1", run: "s-1" }) } as never;
  const mark = markText({ run: "s-1", untilMs: 0 });

  it("is started again, and then its node is opened that bears our mark", async () => {
    const at = await site();
    const silent = { state: "DOWN", reason: mark, flags: ["DRAIN", "NOT_RESPONDING"] };
    at.slurm.test.setNode("g1", silent);
    const started: string[] = [];
    const daemonHook = {
      stop: async () => {},
      start: async (node: string) => {
        expect(at.slurm.test.calls).not.toContain("updateNode");
        started.push(node);
        at.slurm.test.setNode(node, { flags: ["DRAIN"] });
      },
    };
    await createSlurmUndo({ ...at.options, daemonHook })(entry);
    expect(started).toEqual(["g1"]);
    expect((await at.slurm.nodes())[1]).toMatchObject({ reason: "", flags: [] });
  });

  it.each(["bad disk", "Not responding"])(
    "is started, and a node closed for another reason is left: %s",
    async (reason) => {
      const at = await site();
      at.slurm.test.setNode("g1", { state: "DOWN", reason });
      const daemonHook = { stop: async () => {}, start: async () => {} };
      await createSlurmUndo({ ...at.options, daemonHook })(entry);
      expect((await at.slurm.nodes())[1]).toMatchObject({ state: "DOWN", reason });
    },
  );

  const answering = { stop: async () => {}, start: async () => {} };

  it("is started, and its node is opened that Slurm has called silent beside our mark", async () => {
    const at = await site();
    const reason = `${mark} : Not responding`;
    at.slurm.test.setNode("g1", { state: "DOWN", reason, flags: ["DRAIN"] });
    await createSlurmUndo({ ...at.options, daemonHook: answering })(entry);
    expect((await at.slurm.nodes())[1]).toMatchObject({
      state: "ALLOCATED",
      reason: "",
      flags: [],
    });
  });

  it.each([" : reboot issued", " : Not responding; bad disk", ", bad disk"])(
    "is started, and a node that says more than our mark is left and told of: %s",
    async (more) => {
      const at = await site();
      const reason = `${mark}${more}`;
      at.slurm.test.setNode("g1", { state: "DOWN", reason, flags: ["DRAIN"] });
      const undone = createSlurmUndo({ ...at.options, daemonHook: answering })(entry);
      await expect(undone).rejects.toThrow(
        `node g1 has more for a reason than our mark: ${reason}`,
      );
      expect((await at.slurm.nodes())[1]).toMatchObject({ state: "DOWN", reason });
      expect(await recoverOnSlurm(at.options)).toEqual([
        expect.stringMatching(/^node g1 of run s-1 could not be taken back: .* than our mark/),
      ]);
      expect(at.slurm.test.calls).not.toContain("updateNode");
    },
  );

  it("stays to be started where there is no command for it", async () => {
    const at = await site();
    await expect(createSlurmUndo(at.options)(entry)).rejects.toThrow(/no command to start slurmd/);
  });
});

describe("opening a node", () => {
  const reason = markText({ run: "s-1", untilMs: 0 });
  /** Takes back what a fault did to g1, as that is now. @returns what Slurm was told, and how it is then */
  const undone = async (takesDown: boolean, g1: object) => {
    const at = await site();
    at.slurm.test.setNode("g1", { reason, ...g1 });
    const told: unknown[] = [];
    const { updateNode } = at.slurm;
    at.slurm.updateNode = async (name, change) => {
      told.push(change);
      await updateNode(name, change);
    };
    const undo = undoes.release({ node: "g1", run: "s-1", takesDown });
    const problem = await createSlurmUndo(at.options)({ undo } as never).then(
      () => "",
      (error: Error) => error.message,
    );
    const [, node] = await at.slurm.nodes();
    return { at, told, problem, node };
  };

  it("that was only drained calls off no boot that somebody has asked for since", async () => {
    const flags = ["DRAIN", "REBOOT_REQUESTED"];
    const { told, problem, node } = await undone(false, { state: "MIXED", flags });
    expect({ told, problem }).toEqual({ told: [{ state: "UNDRAIN" }], problem: "" });
    expect(node).toMatchObject({ flags: ["REBOOT_REQUESTED"], reason: "" });
  });

  it("that went down by itself while it was drained lifts the drain and does not bring it up", async () => {
    const down = { state: "DOWN", flags: ["DRAIN"], reason: `${reason} : Not responding` };
    const { at, told, problem, node } = await undone(false, down);
    expect(told).toEqual([{ state: "UNDRAIN" }]);
    expect(problem).toBe("node g1 is down, and not by the experiment: our reason stays on it");
    expect(node).toMatchObject({ state: "DOWN", flags: [] });
    // Nor does a later start, which finds only the mark.
    await recoverOnSlurm(at.options);
    expect(told).toHaveLength(1);
  });

  it("that was taken down brings it up, unless it is to be booted", async () => {
    const down = { state: "DOWN", flags: ["DRAIN"] };
    const up = await undone(true, down);
    expect(up).toMatchObject({ told: [{ state: "RESUME" }], problem: "", node: { reason: "" } });
    const booting = await undone(true, { ...down, flags: ["DRAIN", "REBOOT_REQUESTED"] });
    expect(booting).toMatchObject({ told: [], node: { state: "DOWN" } });
    expect(booting.problem).toContain("node g1 is to be booted");
  });

  it("of which only the mark is known goes by how the node is", async () => {
    for (const [g1, told] of [
      [{ state: "MIXED", flags: ["DRAIN", "REBOOT_REQUESTED"] }, ["UNDRAIN"]],
      [{ state: "DOWN", flags: ["DRAIN"] }, ["RESUME"]],
    ] as const) {
      const at = await site();
      at.slurm.test.setNode("g1", { reason, ...g1, flags: [...g1.flags] });
      const changes: unknown[] = [];
      const { updateNode } = at.slurm;
      at.slurm.updateNode = async (name, change) => {
        changes.push("state" in change ? change.state : change);
        await updateNode(name, change);
      };
      await recoverOnSlurm(at.options);
      expect(changes).toEqual(told);
    }
  });
});

describe("taking back from a controller that is away", () => {
  const undoAt = async (answersAfter: number) => {
    const { slurm } = await site();
    const clock = new VirtualClock();
    const reason = markText({ run: "s-1", untilMs: 0 });
    slurm.test.setNode("g3", { reason, flags: ["DRAIN"] });
    let asked = 0;
    slurm.test.onCall(() => {
      slurm.test.failWith(asked++ < answersAfter ? unreachable() : undefined);
    });
    const undo = createSlurmUndo({ client: slurm, clock });
    const entry = { undo: undoes.release({ node: "g3", run: "s-1" }) } as never;
    const tried = async () => {
      const outcome = undo(entry).then(
        () => "taken back",
        () => "given up",
      );
      await clock.advance(600_000);
      return outcome;
    };
    return { slurm, tried };
  };

  it("is tried again until it answers", async () => {
    const { slurm, tried } = await undoAt(5);
    expect(await tried()).toBe("taken back");
    expect(await findLeftovers(slurm)).toEqual([]);
  });

  it("ends in a few minutes for all faults together", async () => {
    const { slurm, tried } = await undoAt(Number.POSITIVE_INFINITY);
    expect(await tried()).toBe("given up");
    const { length } = slurm.test.calls;
    expect(await tried()).toBe("given up");
    expect(slurm.test.calls).toHaveLength(length + 1);
  });
});
