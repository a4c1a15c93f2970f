import { describe, expect, it } from "vitest";
import { markText } from "../../../../src/chaos/slurm/marks.ts";
import type {
  SlurmHistory,
  SlurmJobEnd,
  SlurmNode,
  SlurmNodeEvent,
} from "../../../../src/platform/slurm/index.ts";
import { SignReader } from "../../../../src/validation/clusters/slurm/signs/sign-reader.ts";
import { node, nowMs, who } from "./support/slurm-parts.ts";

const minuteMs = 60_000;

function end(more: Partial<SlurmJobEnd>): SlurmJobEnd {
  return {
    id: "7",
    name: "train",
    user: "alice",
    state: "FAILED",
    nodes: ["g0", "g1"],
    startedAtMs: nowMs - minuteMs,
    endedAtMs: nowMs,
    exitCode: 1,
    exitSignal: undefined,
    ...more,
  };
}

function history(more: Partial<SlurmHistory> = {}): SlurmHistory {
  return { source: "jobcomp", jobs: [], nodeEvents: [], ...more };
}

function event(more: Partial<SlurmNodeEvent>): SlurmNodeEvent {
  const times = { startAtMs: nowMs, endAtMs: undefined };
  return { node: "g0", state: "DRAIN", reason: "bad DIMM", user: "root", ...times, ...more };
}

/** What a reader says at each of several looks, a minute apart. */
function read(...looks: readonly { history?: SlurmHistory; nodes?: readonly SlurmNode[] }[]) {
  const reader = new SignReader(who);
  return looks.map((look, at) => [
    ...reader.readNodes(look.nodes ?? [node()], nowMs + at * minuteMs),
    ...reader.readHistory(look.history ?? history()),
  ]);
}

describe("signs from ended jobs", () => {
  it("tell of every node of a job that crashed, once", () => {
    const jobs = [end({})];
    const [first, second] = read({ history: history({ jobs }) }, { history: history({ jobs }) });
    expect(first).toEqual([
      { kind: "crash", atMs: nowMs, node: "g0", job: "alice/train-7" },
      { kind: "crash", atMs: nowMs, node: "g1", job: "alice/train-7" },
    ]);
    expect(second).toEqual([]);
  });

  it.each([
    { state: "FAILED", exitSignal: 9, exitCode: undefined },
    { state: "NODE_FAIL", exitCode: 0 },
    { state: "REQUEUED", exitCode: 1 },
    { state: "FAILED", name: "tsr-probe-g0-r1", user: "alice" },
    { state: "FAILED", name: "tessera-finetune" },
  ])("count %j as a crash", (more) => {
    expect(read({ history: history({ jobs: [end(more)] }) })[0]).toHaveLength(2);
  });

  it.each([
    { state: "COMPLETED", exitCode: 0 },
    { state: "CANCELLED", exitCode: 1 },
    { state: "TIMEOUT", exitCode: 1 },
    { state: "PREEMPTED", exitCode: 1 },
    { state: "OUT_OF_MEMORY", exitCode: 137 },
    { state: "REQUEUED", exitCode: 0 },
    { state: "FAILED", exitCode: 127 },
    { state: "FAILED", exitSignal: 15 },
    { state: "FAILED", name: "tsr-probe-g0-r1", user: "tessera" },
    { state: "FAILED", name: "tessera-campaign-0123456789-p1" },
    { state: "NODE_FAIL", name: "tessera-scale-weak" },
    { state: "FAILED", name: "tessera-all-reduce" },
  ])("do not count %j", (more) => {
    expect(read({ history: history({ jobs: [end(more)] }) })[0]).toEqual([]);
  });

  it("do not count the end of a job whose node an experiment of ours took, and count others' losses", () => {
    const reason = markText({ run: "r1", untilMs: nowMs });
    const taken = event({ node: "g1", state: "DOWN", reason, startAtMs: nowMs - 2_000 });
    const over = { ...taken, startAtMs: nowMs - 60 * minuteMs, endAtMs: nowMs - 30 * minuteMs };
    const given = (more: Partial<SlurmJobEnd>, ...nodeEvents: SlurmNodeEvent[]) =>
      read({ history: history({ source: "accounting", jobs: [end(more)], nodeEvents }) })[0];
    expect(given({ state: "NODE_FAIL" }, taken)).toEqual([]);
    expect(given({ state: "REQUEUED" }, taken)).toEqual([]);
    expect(given({ state: "FAILED" }, taken)).toHaveLength(2);
    expect(given({ state: "NODE_FAIL" }, over)).toHaveLength(2);
    expect(given({ state: "NODE_FAIL" }, { ...taken, node: "g7" })).toHaveLength(2);
    expect(given({ state: "NODE_FAIL" }, { ...taken, reason: "bad board" })).toHaveLength(2);
    // Without accounting the node itself tells.
    const nodes = [node({ state: "DOWN", reason, reasonAtMs: nowMs - 2_000 })];
    const lost = { history: history({ jobs: [end({ state: "NODE_FAIL" })] }) };
    expect(read({ ...lost, nodes })[0]).toEqual([]);
    expect(read(lost)[0]).toHaveLength(2);
  });

  it("tell of the newest ten thousand nodes when jobs failed on more, and of none again", () => {
    const nodesOf = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${prefix}${at}`);
    const jobs = [
      end({ id: "1", nodes: nodesOf("old", 200_000), endedAtMs: nowMs - 2 }),
      end({ id: "2", nodes: nodesOf("mid", 6_000), endedAtMs: nowMs - 1 }),
      end({ id: "3", nodes: nodesOf("new", 6_000) }),
    ];
    const look = { history: history({ jobs }) };
    const [first = [], ...later] = read(look, look, look);
    expect(first).toHaveLength(10_000);
    expect(first.filter(({ node: name }) => name.startsWith("new"))).toHaveLength(6_000);
    expect(first.some(({ node: name }) => name.startsWith("old"))).toBe(false);
    expect(later).toEqual([[], []]);
  });

  it("tell of the same job again when it failed again", () => {
    const again = end({ endedAtMs: nowMs + 1 });
    const jobs = [end({ state: "REQUEUED" })];
    const looks = [
      { history: history({ jobs }) },
      { history: history({ jobs: [...jobs, again] }) },
    ];
    expect(read(...looks)[1]).toHaveLength(2);
  });
});

describe("signs from nodes", () => {
  const drained = (reason: string, reasonAtMs = nowMs) =>
    node({ flags: ["DRAIN"], reason, reasonBy: "root", reasonAtMs });

  it.each([
    markText({ run: "xid-79", untilMs: nowMs }),
    "tessera/gate: tessera: g0 is bad (1.0 s): XID 79 of 0000:3b:00.0",
    "tessera/other: Xid 79 during a check",
  ])("tell neither of a driver error nor of a repair where we closed the node: %j", (reason) => {
    expect(read({ nodes: [drained(reason)] }, { nodes: [node()] })).toEqual([[], []]);
    const nodeEvents = [event({ reason, endAtMs: nowMs + 5 })];
    expect(read({ history: history({ source: "accounting", nodeEvents }) })[0]).toEqual([]);
  });

  it("tell of a driver error in somebody's reason once, and of the next one", () => {
    const one = drained("NVRM: Xid (PCI:0000:3b:00): 79");
    const later = drained("Xid 48", nowMs + minuteMs);
    expect(read({ nodes: [one] }, { nodes: [one] }, { nodes: [later] })).toEqual([
      [{ kind: "kernel", atMs: nowMs, node: "g0", xid: 79 }],
      [],
      [{ kind: "kernel", atMs: nowMs + minuteMs, node: "g0", xid: 48 }],
    ]);
  });

  it("count an error that accounting tells of too only once, and none of our own reasons", () => {
    const nodeEvents = [event({ reason: "Xid 79", startAtMs: nowMs - 2_000 })];
    const told = { history: history({ source: "accounting", nodeEvents }) };
    expect(read({ ...told, nodes: [drained("Xid 79")] })[0]).toHaveLength(1);
    expect(read({ nodes: [drained("tessera/prod: Xid 79 during a check")] })[0]).toEqual([]);
  });

  it("tell of a repair when a node comes back from somebody's drain, not from ours", () => {
    const repair = { kind: "repair", atMs: nowMs + minuteMs, node: "g0" };
    expect(read({ nodes: [drained("bad DIMM")] }, { nodes: [node()] })[1]).toEqual([repair]);
    const ours = drained("tessera/prod: too slow");
    expect(read({ nodes: [ours] }, { nodes: [node()] })[1]).toEqual([]);
    expect(read({ nodes: [drained("x")] }, { nodes: [drained("y")] })[1]).toEqual([]);
  });

  it("take the end of a drain from accounting where there is one", () => {
    const nodeEvents = [
      event({ endAtMs: nowMs + 5 }),
      event({ endAtMs: nowMs + 6, reason: "tessera/prod: too slow" }),
      event({ endAtMs: nowMs + 7, state: "DOWN", reason: "Not responding" }),
    ];
    const told = history({ source: "accounting", nodeEvents });
    const before = { history: history({ source: "accounting" }), nodes: [drained("bad DIMM")] };
    const looks = [before, { history: told }, { history: told }];
    expect(read(...looks)).toEqual([[], [{ kind: "repair", atMs: nowMs + 5, node: "g0" }], []]);
  });

  describe("of a drain that accounting says has ended", () => {
    const first = event({ startAtMs: nowMs - minuteMs, endAtMs: nowMs });
    const told = (...nodeEvents: SlurmNodeEvent[]) =>
      read({ history: history({ source: "accounting", nodeEvents }) })[0];
    const repair = { kind: "repair", atMs: nowMs, node: "g0" };

    // What slurmdbd makes of a drain that goes on: the end of one event and the beginning of the next.
    it.each([
      ["with another reason", { reason: "bad DIMM, ordered" }],
      ["as that of a node that went down as well", { state: "DOWN+DRAIN" }],
      ["as that of a node that is down", { state: "DOWN", reason: "Not responding" }],
      ["as one of ours", { reason: "tessera/gate: tessera: g0 is bad (1.0 s): gpu 3 is lost" }],
      ["as it was, when the cluster has other resources", {}],
      ["a moment later", { startAtMs: nowMs + 3_000 }],
    ])("tell of no repair where the next begins at once %s", (_, next) => {
      expect(told(first, event(next))).toEqual([]);
      expect(told(event(next), first)).toEqual([]);
    });

    it("tell of the repair when the last of them ends", () => {
      const next = event({ reason: "bad DIMM, ordered", endAtMs: nowMs + minuteMs });
      expect(told(first, next)).toEqual([{ ...repair, atMs: nowMs + minuteMs }]);
    });

    it.each([
      ["it was handed back", { reason: "tessera:accept new DIMM" }],
      ["it was drained again later", { startAtMs: nowMs + minuteMs }],
      ["another event was over by then", { startAtMs: nowMs - 2_000, endAtMs: nowMs - 1_000 }],
      ["another node was closed then", { node: "g1" }],
    ])("tell of a repair where %s", (_, other) => {
      expect(told(first, event({ state: "DOWN", ...other }))).toEqual([repair]);
    });
  });

  it("are told without any history, and once when it comes after all", () => {
    const reader = new SignReader(who);
    const xid = { kind: "kernel", atMs: nowMs, node: "g0", xid: 79 };
    expect(reader.readNodes([drained("Xid 79")], nowMs)).toEqual([xid]);
    expect(reader.readNodes([drained("Xid 79")], nowMs + minuteMs)).toEqual([]);
    const nodeEvents = [event({ reason: "Xid 79" }), event({ reason: "Xid 48", startAtMs: 5 })];
    const told = reader.readHistory(history({ source: "accounting", nodeEvents }));
    expect(told).toEqual([{ ...xid, xid: 48, atMs: 5 }]);
    expect(reader.readNodes([drained("Xid 79")], nowMs + 2 * minuteMs)).toEqual([]);
  });

  it("tell of a new boot, and not of a boot time that is told a little differently", () => {
    const boot = (bootAtMs: number) => ({ nodes: [node({ bootAtMs })] });
    const looks = read(boot(0), boot(3_000), boot(20 * minuteMs), boot(20 * minuteMs + 1));
    expect(looks).toEqual([[], [], [{ kind: "repair", atMs: 20 * minuteMs, node: "g0" }], []]);
  });
});
