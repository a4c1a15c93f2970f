import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTesseraError } from "../../../../src/platform/errors/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { type Rank, spmd } from "../../../../src/runtime/dist/spmd/index.ts";
import { fromValues } from "../../../../src/runtime/tensor/index.ts";

const kinds = [
  "allReduce",
  "reduceScatter",
  "allGather",
  "broadcast",
  "allToAll",
  "barrier",
  "shift",
] as const;
const axes = [["a"], ["b"], ["a", "b"]] as const;

/** One step that every rank takes; the seed makes its values. */
interface Step {
  readonly kind: (typeof kinds)[number];
  readonly over: (typeof axes)[number];
  readonly op: "sum" | "max";
  readonly length: number;
  readonly seed: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  over: fc.constantFrom(...axes),
  op: fc.constantFrom("sum", "max"),
  length: fc.integer({ min: 1, max: 7 }),
  seed: fc.nat(1000),
});
const program = fc.array(step, { minLength: 1, maxLength: 8 });
const mesh = new Mesh({ axes: ["a", "b"], devices: 6, shape: [2, 3] });

/** Small whole numbers: every sum of them is exact, so the oracle can use plain arithmetic. */
const valuesOf = ({ length, seed }: Step, rank: number) =>
  Array.from({ length }, (_, at) => ((seed + 7 * rank + 3 * at) * 31) % 101);

async function take(rank: Rank, one: Step): Promise<readonly number[]> {
  const { over, op } = one;
  const own = fromValues(valuesOf(one, rank.index));
  switch (one.kind) {
    case "allReduce":
      return [...(await rank.allReduce(own, { over, op })).toNumbers()];
    case "reduceScatter":
      return [...(await rank.reduceScatter(own, { over, op })).toNumbers()];
    case "allGather":
      return [...(await rank.allGather(own, { over })).toNumbers()];
    case "broadcast":
      return [...(await rank.broadcast(own, { over, root: 1 })).toNumbers()];
    case "allToAll":
      return [...(await rank.allToAll(own, { over })).toNumbers()];
    case "barrier":
      await rank.barrier({ over });
      return [];
    case "shift": {
      const group = mesh.groupOf(rank.index, over);
      const seat = group.indexOf(rank.index);
      const next = group[(seat + 1) % group.length] ?? 0;
      const previous = group.at(seat - 1) ?? 0;
      const sent = rank.send(own, next);
      const received = await rank.recv(previous);
      await sent;
      return [...received.toNumbers()];
    }
  }
}

/** The same by plain arithmetic on lists. */
function expected(one: Step, rank: number): readonly number[] {
  const group = mesh.groupOf(rank, one.over);
  const seat = group.indexOf(rank);
  const lists = group.map((member) => valuesOf(one, member));
  const first = lists[0] ?? [];
  const reduced = first.map((_, at) => {
    const column = lists.map((list) => list[at] ?? 0);
    return one.op === "sum" ? column.reduce((a, b) => a + b) : Math.max(...column);
  });
  const size = Math.ceil(first.length / group.length);
  const part = (list: readonly number[]) => list.slice(seat * size, (seat + 1) * size);
  switch (one.kind) {
    case "allReduce":
      return reduced;
    case "reduceScatter":
      return part(reduced);
    case "allGather":
      return lists.flat();
    case "broadcast":
      return lists[1] ?? [];
    case "allToAll":
      return lists.flatMap(part);
    case "barrier":
      return [];
    case "shift":
      return lists.at(seat - 1) ?? [];
  }
}

async function run(stepsOf: (rank: number) => readonly Step[]) {
  return await spmd(mesh, async (rank) => {
    const got: (readonly number[])[] = [];
    for (const one of stepsOf(rank.index)) got.push(await take(rank, one));
    return got;
  });
}

const mutations = {
  skip: () => [],
  twice: (one) => [one, one],
  "other operation": (one) => [
    { ...one, kind: one.kind === "allReduce" ? "allGather" : "allReduce" },
  ],
  "other axes": (one) => [{ ...one, over: one.over.join() === "a" ? ["b"] : ["a"] }],
} satisfies Record<string, (one: Step) => readonly Step[]>;

describe("programs of ranks", () => {
  it("that fit together always end, with the right values on every rank", async () => {
    await fc.assert(
      fc.asyncProperty(program, async (steps) => {
        const got = await run(() => steps);
        for (const [rank, values] of got.entries()) {
          expect(values).toEqual(steps.map((one) => expected(one, rank)));
        }
      }),
      { numRuns: 80 },
    );
  });

  it.each(Object.entries(mutations))(
    "of which one differs always end in an error and never hang: %s",
    async (_, mutate) => {
      const odd = fc.record({ steps: program, at: fc.nat(7), rank: fc.nat(5) });
      await fc.assert(
        fc.asyncProperty(odd, async ({ steps, at, rank }) => {
          const place = at % steps.length;
          const mutated = steps.flatMap((one, index) => (index === place ? mutate(one) : [one]));
          const error: unknown = await run((index) => (index === rank ? mutated : steps)).then(
            () => "no error",
            (thrown: unknown) => thrown,
          );
          const code = isTesseraError(error) ? error.code : String(error);
          expect(["E_DESYNC", "E_DEADLOCK"]).toContain(code);
        }),
        { numRuns: 40 },
      );
    },
  );

  it("give the same error every time", async () => {
    const steps: Step[] = [
      { kind: "allReduce", over: ["a"], op: "sum", length: 3, seed: 1 },
      { kind: "shift", over: ["a", "b"], op: "sum", length: 2, seed: 2 },
      { kind: "barrier", over: ["b"], op: "sum", length: 1, seed: 3 },
    ];
    const messages = await Promise.all(
      [1, 2, 3].map(() => run((rank) => (rank === 4 ? steps.toReversed() : steps)).catch(String)),
    );
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toContain("cannot go on");
  });
});
