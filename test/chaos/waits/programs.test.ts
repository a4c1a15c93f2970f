import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diagnoseWaits, type RankWait, type StuckCause } from "../../../src/chaos/waits/index.ts";

const ranks = 6;
/** Two groups of three and all together, as of a mesh. */
const groups = [
  [0, 1, 2],
  [3, 4, 5],
  [0, 1, 2, 3, 4, 5],
] as const;

interface Call {
  readonly group: readonly number[];
  readonly op: string;
  readonly bytes: number;
}

/** What each rank does: the same list for all, less the groups it is not in. */
const anyProgram = fc
  .array(
    fc.record({
      group: fc.constantFrom(...groups),
      op: fc.constantFrom("all-reduce", "all-gather"),
    }),
    {
      minLength: 2,
      maxLength: 12,
    },
  )
  .map((calls): Call[][] =>
    Array.from({ length: ranks }, (_, rank) =>
      calls
        .filter(({ group }) => group.includes(rank as never))
        .map((call) => ({ ...call, bytes: 8 })),
    ),
  );

/** Ranks that run a program, one move at a time in any order. */
class Machine {
  readonly #program: readonly (readonly Call[])[];
  readonly #at = Array.from({ length: ranks }, () => 0);
  /** The exchange a rank is in, or none while it computes. */
  readonly #isIn = Array.from({ length: ranks }, () => false);
  readonly #gone: ReadonlySet<number>;

  constructor(program: readonly (readonly Call[])[], gone: ReadonlySet<number> = new Set()) {
    this.#program = program;
    this.#gone = gone;
  }

  waits(): readonly RankWait[] {
    return this.#at.map((_, rank): RankWait => this.#waitOf(rank));
  }

  /** A rank computes and enters its next exchange, or its exchange ends. False: it can do neither. */
  move(rank: number): boolean {
    if (this.#gone.has(rank)) return false;
    const wait = this.#waitOf(rank);
    if (wait.kind === "running") {
      this.#isIn[rank] = true;
      return true;
    }
    if (wait.kind !== "collective") return false;
    const all = wait.group.map((member) => this.#waitOf(member));
    const hasAll = all.every((other, index) => {
      const call = `${wait.op} ${wait.bytes} ${String(wait.group)} ${wait.sequence}`;
      const isHere =
        other.kind === "collective" &&
        call === `${other.op} ${other.bytes} ${String(other.group)} ${other.sequence}`;
      return isHere || this.#done(wait.group[index] as number, wait.group) >= wait.sequence;
    });
    if (!hasAll) return false;
    this.#at[rank] = (this.#at[rank] ?? 0) + 1;
    this.#isIn[rank] = false;
    return true;
  }

  /** Exchanges of this group that a rank has been in, the one it is in included. */
  entered(rank: number, group: readonly number[]): number {
    const wait = this.#waitOf(rank);
    const isIn = wait.kind === "collective" && String(wait.group) === String(group);
    return this.#done(rank, group) + (isIn ? 1 : 0);
  }

  #waitOf(rank: number): RankWait {
    const call = this.#program[rank]?.[this.#at[rank] ?? 0];
    if (this.#gone.has(rank) || call === undefined) return { kind: "gone" };
    if (this.#isIn[rank] !== true) return { kind: "running" };
    const sequence = this.#done(rank, call.group) + 1;
    return { kind: "collective", ...call, sequence, dtype: "fp32" };
  }

  #done(rank: number, group: readonly number[]): number {
    const before = this.#program[rank]?.slice(0, this.#at[rank]) ?? [];
    return before.filter((call) => String(call.group) === String(group)).length;
  }
}

function runToRest(machine: Machine, order: readonly number[]): void {
  for (let idle = 0, at = 0; idle < ranks * order.length; at++) {
    idle = machine.move(order[at % order.length] ?? 0) ? 0 : idle + 1;
  }
}

const anyOrder = fc.shuffledSubarray([...Array(ranks).keys()], { minLength: ranks });

describe("a program that all ranks run alike", () => {
  it("is never called stuck, however far each has come", () => {
    fc.assert(
      fc.property(anyProgram, fc.array(fc.nat(ranks - 1), { maxLength: 80 }), (program, moves) => {
        // Who has come to its end is still there.
        const machine = new Machine(
          program.map((calls) => [...calls, { group: groups[2], op: "end", bytes: 0 }]),
        );
        for (const rank of moves) {
          machine.move(rank);
          const entered = machine.entered.bind(machine);
          expect(diagnoseWaits(machine.waits(), { entered }).stuck).toEqual([]);
        }
      }),
    );
  });

  it.each<[string, StuckCause, (calls: Call[], at: number) => Call[]]>([
    ["another operation", "different op", (calls, at) => changed(calls, at, { op: "broadcast" })],
    ["another size", "different size", (calls, at) => changed(calls, at, { bytes: 9 })],
    ["its end too early", "missing rank", (calls, at) => calls.slice(0, at)],
  ])("is called stuck when one rank has %s", (_, cause, plant) => {
    fc.assert(
      fc.property(
        anyProgram,
        fc.nat(ranks - 1),
        fc.nat(100),
        anyOrder,
        (program, rank, at, order) => {
          const calls = program[rank] ?? [];
          fc.pre(calls.length > 0);
          program[rank] = plant(calls, at % calls.length);
          const machine = new Machine(program);
          runToRest(machine, order);
          const { stuck } = diagnoseWaits(machine.waits());
          expect(stuck.map((set) => set.cause)).toContain(cause);
        },
      ),
    );
  });

  it("is called stuck when one rank swaps two exchanges of different groups", () => {
    fc.assert(
      fc.property(fc.nat(ranks - 1), anyOrder, (rank, order) => {
        const program = Array.from({ length: ranks }, (_, own): Call[] => {
          const half = own < 3 ? groups[0] : groups[1];
          const calls = [half, groups[2]].map((group) => ({ group, op: "all-reduce", bytes: 8 }));
          return own === rank ? calls.toReversed() : calls;
        });
        const machine = new Machine(program);
        runToRest(machine, order);
        const sets = diagnoseWaits(machine.waits()).stuck;
        expect(sets.map((set) => set.cause)).toEqual(["different order"]);
        expect(sets[0]?.culprits).toContain(rank);
      }),
    );
  });
});

function changed(calls: readonly Call[], at: number, change: Partial<Call>): Call[] {
  return calls.map((call, index) => (index === at ? { ...call, ...change } : call));
}
