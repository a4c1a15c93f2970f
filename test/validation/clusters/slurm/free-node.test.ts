import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { job, node, nowMs, ownJob, see, why } from "./support/slurm-parts.ts";

describe("a free node", () => {
  it("is idle, in the partition of our jobs, with nothing against it", () => {
    expect(see().nodes).toEqual([
      {
        name: "g0",
        sku: "h100",
        rack: "",
        gpus: 8,
        notFree: [],
        awaitsAcceptance: false,
        cordoned: false,
      },
    ]);
  });

  it("may have had jobs, and may be wanted by jobs that wait for something else", () => {
    const ended = ["COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "PREEMPTED"];
    const jobs = ended.map((state) => job({ state }));
    const waiting = job({ state: "PENDING", nodes: [], plannedNodes: ["g1"] });
    expect(why({ jobs: [...jobs, waiting] })).toEqual([]);
  });

  it("may have no GPUs where nodes without them are tested too", () => {
    const nodes = [node({ gres: [] })];
    expect(why({ nodes })).toEqual(["no-gpu: it has no gpu"]);
    expect(why({ nodes }, { gres: null })).toEqual([]);
  });

  it("has its model from its GRES or a feature, and its rack from a feature", () => {
    const typed = see({}, { rackFeature: "rack" }).nodes[0];
    expect(typed).toMatchObject({ sku: "h100", rack: "rack1" });
    const gres = [{ name: "gpu", type: "", count: 4 }];
    const untyped = see({ nodes: [node({ gres, features: ["a12", "nvidia_h200", "ib"] })] });
    expect(untyped.nodes[0]).toMatchObject({ sku: "h200-sxm5-141gb", rack: "", gpus: 4 });
    const told = see({ nodes: [node({ gres, features: ["a12"] })] });
    expect(told.nodes[0]?.sku).toBe("unknown");
    const two = [
      ...gres.map((one) => ({ ...one, type: "a100" })),
      { name: "gpu", type: "h100", count: 4 },
    ];
    expect(see({ nodes: [node({ gres: two })] }).nodes[0]?.sku).toBe("mixed");
  });
});

describe("a node that is not free", () => {
  it("names the user's job that holds it, and how many of its GPUs", () => {
    const used = node({ state: "ALLOCATED", gresUsed: [{ name: "gpu", type: "h100", count: 8 }] });
    expect(why({ nodes: [used], jobs: [job()] })).toEqual([
      "busy: job 123 of alice (train) holds 8 of 8 GPUs",
    ]);
    expect(why({ jobs: [job()] })).toEqual(["busy: job 123 of alice (train) runs on it"]);
  });

  it.each(["RUNNING", "SUSPENDED", "SIGNALING", "SOMETHING_NEW"])(
    "is held by a job in state %s, and by one that is being ended",
    (state) => {
      expect(why({ jobs: [job({ state })] })).toHaveLength(1);
      expect(why({ jobs: [job({ state: "COMPLETED", flags: ["COMPLETING"] })] })).toHaveLength(1);
    },
  );

  it("may be held by somebody whose jobs we are not shown", () => {
    expect(why({ nodes: [node({ cpusAllocated: 4 })] })).toEqual([
      "busy: 4 of 8 CPUs are in use, by whom is not told",
    ]);
    expect(why({ nodes: [node({ state: "MIXED" })] })).toEqual(["busy: it is MIXED"]);
    expect(why({ nodes: [node({ flags: ["COMPLETING"] })] })).toHaveLength(1);
  });

  it("is under test while a job of ours is open there, also one that waits", () => {
    const held = node({ state: "ALLOCATED", cpusAllocated: 8 });
    const running = why({ nodes: [held], jobs: [ownJob()] });
    expect(running).toEqual(["under-test: job 123 of ours (tsr-probe-g0-r1) is open"]);
    const waiting = ownJob({ state: "PENDING", nodes: [] });
    expect(why({ jobs: [waiting] })).toHaveLength(1);
    expect(why({ jobs: [ownJob({ state: "COMPLETED" })] })).toEqual([]);
  });

  it("is busy with a job that only calls itself ours", () => {
    expect(why({ jobs: [ownJob({ user: "alice" })] })[0]).toMatch(/^busy: /);
    expect(why({ jobs: [ownJob({ comment: "" })] })[0]).toMatch(/^busy: /);
  });

  it("says who drained it, since when and why", () => {
    const drained = { flags: ["DRAIN"], reason: "bad DIMM", reasonBy: "root", reasonAtMs: nowMs };
    expect(why({ nodes: [node(drained)] })).toEqual([
      "cordoned: drained by root since 2026-01-08T20:10:00.000Z: bad DIMM",
    ]);
  });

  it.each([
    ["DOWN", []],
    ["UNKNOWN", []],
    ["FUTURE", []],
    ["IDLE", ["NOT_RESPONDING"]],
    ["IDLE", ["FAIL"]],
    ["IDLE", ["POWERED_DOWN"]],
    ["IDLE", ["POWERING_UP"]],
    ["IDLE", ["REBOOT_REQUESTED"]],
    ["IDLE", ["INVALID_REG"]],
    ["IDLE", ["A_WORD_OF_A_LATER_RELEASE"]],
  ])("is %s with %s", (state, flags) => {
    expect(why({ nodes: [node({ state, flags })] })).toHaveLength(1);
  });

  it("is not in the partition of our jobs, or that partition is not up", () => {
    expect(why({ nodes: [node({ partitions: ["batch"] })] })[0]).toMatch(/^excluded: /);
    expect(why({}, { partition: "none" })).toEqual(["not-ready: there is no partition none"]);
    expect(why({ partitions: [] }, {})[0]).toMatch(/^not-ready: /);
  });

  it("is excluded by the configuration; those not asked for are not shown at all", () => {
    expect(why({}, { excludedNodes: ["g0"] })).toEqual(["excluded: the configuration excludes it"]);
    expect(see({}, { partitions: ["other"] }).nodes).toEqual([]);
    expect(see({}, { features: ["ib", "gone"] }).nodes).toEqual([]);
    expect(see({}, { partitions: ["batch"], features: ["ib"] }).nodes).toHaveLength(1);
  });

  it("is reserved now, or before a run would have ended, and not when that is later", () => {
    const one = { name: "maint", nodes: ["g0"], users: ["root"], flags: [], endAtMs: undefined };
    const at = (startAtMs: number) => why({ reservations: [{ ...one, startAtMs }] });
    expect(at(nowMs - 1)).toEqual(["reserved: reservation maint has it"]);
    expect(at(nowMs + 660_000)[0]).toMatch(/from 2026-01-08T20:21/);
    expect(at(nowMs + 660_001)).toEqual([]);
    const over = { ...one, startAtMs: nowMs - 100, endAtMs: nowMs - 1 };
    expect(why({ reservations: [over] })).toEqual([]);
    expect(why({ nodes: [node({ flags: ["RESERVED"] })] })).toHaveLength(1);
  });

  it("is planned for a job that is about to start", () => {
    const planned = job({ state: "PENDING", nodes: [], plannedNodes: ["g0"] });
    expect(why({ jobs: [planned] })).toEqual([
      "planned: job 123 of alice (train) is to start on it",
    ]);
    expect(why({ nodes: [node({ flags: ["PLANNED"] })] })).toHaveLength(1);
  });

  it("is never one that is to fail, nor one that others drained or reserved, whatever else is said of it", () => {
    const words = fc.constantFrom("PLANNED", "RESERVED", "MAINTENANCE", "DRAIN", "FAIL", "CLOUD");
    const some = fc.record({
      state: fc.constantFrom("IDLE", "ALLOCATED", "DOWN"),
      flags: fc.uniqueArray(words, { maxLength: 4 }),
      reason: fc.constantFrom(
        "",
        "bad",
        "Not responding",
        "tessera/prod: failed",
        "tessera:accept",
      ),
    });
    const reservation = fc.record({
      name: fc.constantFrom("maint", "tessera-prod-g0", "tessera-prod-g1"),
      users: fc.constantFrom<readonly string[]>(["tessera"], ["alice"]),
    });
    const rest = { nodes: ["g0"], flags: [], startAtMs: nowMs - 1, endAtMs: undefined };
    fc.assert(
      fc.property(some, fc.array(reservation, { maxLength: 2 }), (more, reserved) => {
        const reservations = reserved.map((one) => ({ ...rest, ...one }));
        const [seen] = see({ nodes: [node(more)], reservations }).nodes;
        const isTheirs = more.flags.includes("DRAIN") && !more.reason.startsWith("tessera");
        const isFailing = more.flags.includes("FAIL");
        const isReserved = reserved.some(
          ({ name, users }) => name !== "tessera-prod-g0" || !users.includes("tessera"),
        );
        if (isTheirs || isFailing || isReserved) expect(seen?.notFree).not.toEqual([]);
        if (isTheirs || isFailing) {
          expect(seen).toMatchObject({ cordoned: true, awaitsAcceptance: false });
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is never one with an allocation of a user, whatever else is said of it", () => {
    const names = ["g0", "g1", "g2", "g3"];
    const words = fc.constantFrom(
      ...["PLANNED", "RESERVED", "DRAIN", "FAIL", "COMPLETING", "CLOUD", "NEW"],
    );
    const nodes = fc.tuple(
      ...names.map((name) =>
        fc
          .record({
            state: fc.constantFrom("IDLE", "ALLOCATED", "MIXED", "DOWN", "UNKNOWN"),
            flags: fc.uniqueArray(words, { maxLength: 3 }),
            reason: fc.constantFrom("", "bad", "tessera/prod: failed", "tessera:accept"),
          })
          .map((more) => node({ name, ...more })),
      ),
    );
    const jobs = fc.array(
      fc.record({
        user: fc.constantFrom("alice", "bob", "tessera"),
        comment: fc.constantFrom(
          "",
          "tessera cluster=prod run=r1 store=5ad0beef",
          "tessera cluster=x run=r1 store=5ad0beef",
        ),
        state: fc.constantFrom("RUNNING", "SUSPENDED", "PENDING", "COMPLETED", "WHATEVER"),
        flags: fc.uniqueArray(fc.constantFrom("COMPLETING", "CONFIGURING"), { maxLength: 2 }),
        nodes: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 4 }),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(nodes, jobs, (fleet, some) => {
        const all = some.map((one, at) => job({ id: at + 1, name: `j${at}`, ...one }));
        const view = see({ nodes: fleet, jobs: all });
        const held = all.filter(
          ({ state, flags }) =>
            ["RUNNING", "SUSPENDED", "WHATEVER"].includes(state) || flags.includes("COMPLETING"),
        );
        for (const { name, notFree } of view.nodes) {
          const isHeld = held.some((one) => one.nodes.includes(name));
          if (isHeld) expect(notFree).not.toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
