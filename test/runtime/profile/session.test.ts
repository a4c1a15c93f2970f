import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import {
  measured,
  recordOp,
  region,
  type Session,
  session,
} from "../../../src/runtime/profile/index.ts";
import { allReduce, matmul } from "./records.ts";

const names = (from: { records(): readonly { op: string }[] }) =>
  from.records().map(({ op }) => op);

describe("recordOp", () => {
  it("calls nothing when there is no session", () => {
    const make = vi.fn(() => allReduce);
    recordOp(make);
    expect(make).not.toHaveBeenCalled();
  });

  it("tells a session what happened, once, as plain values", () => {
    using open = session();
    const make = vi.fn(() => allReduce);
    recordOp(make);
    expect(make).toHaveBeenCalledTimes(1);
    expect(open.records()).toEqual([allReduce]);
  });
});

describe("a session", () => {
  it("ends with its block and keeps what it collected", () => {
    let ended: Session;
    {
      using open = session();
      recordOp(() => allReduce);
      ended = open;
    }
    recordOp(() => matmul);
    expect(names(ended)).toEqual(["all-reduce"]);
  });

  it("sees what sessions inside it see, and not the other way round", () => {
    using outer = session();
    recordOp(() => allReduce);
    {
      using inner = session();
      recordOp(() => matmul);
      expect(names(inner)).toEqual(["matmul"]);
    }
    recordOp(() => allReduce);
    expect(names(outer)).toEqual(["all-reduce", "matmul", "all-reduce"]);
  });

  it("may end before one that began later", () => {
    const first = session();
    const second = session();
    first[Symbol.dispose]();
    recordOp(() => matmul);
    second[Symbol.dispose]();
    recordOp(() => allReduce);
    expect(names(first)).toEqual([]);
    expect(names(second)).toEqual(["matmul"]);
  });

  it("follows its own tasks and is not seen by tasks beside it", async () => {
    const task = (op: string) =>
      session(async (open) => {
        await turn();
        recordOp(() => ({ ...allReduce, op }));
        await turn();
        return names(open);
      });
    expect(await Promise.all([task("a"), task("b"), task("c")])).toEqual([["a"], ["b"], ["c"]]);
  });

  it("in the form with a function lasts until the promise settles, and is over even if it throws", async () => {
    const kept: Session[] = [];
    const failing = session(async (open) => {
      kept.push(open);
      await turn();
      recordOp(() => matmul);
      throw new Error("no");
    });
    recordOp(() => allReduce);
    await expect(failing).rejects.toThrow("no");
    expect(() =>
      session((open) => {
        kept.push(open);
        throw new Error("at once");
      }),
    ).toThrow("at once");
    recordOp(() => allReduce);
    expect(kept.map(names)).toEqual([["matmul"], []]);
  });

  it("is over for work it started that goes on after it", async () => {
    let late = Promise.resolve();
    const opened = session({ entriesMax: 10 }, (open) => {
      late = turn().then(() => recordOp(() => allReduce));
      return open;
    });
    await late;
    expect(opened.records()).toEqual([]);
  });

  it("keeps no more than it may, and counts the rest", () => {
    using open = session({ entriesMax: 2 });
    for (let at = 0; at < 5; at++) recordOp(() => allReduce);
    open.mark("late");
    expect(open.records()).toHaveLength(2);
    expect(open.dropped).toBe(4);
    expect(open.report()).toContain("Not kept, because the session was full: 4 entries");
    expect(open.toJson().dropped).toBe(4);
  });
});

describe("measured", () => {
  const op = { ...matmul, op: "host matmul" };

  it("records the time of the session's clock, and returns what the work returns", async () => {
    const clock = new VirtualClock();
    using open = session({ clock });
    const result = measured(
      (value) => ({ ...op, flops: value }),
      async () => {
        await clock.advance(2.5);
        return 8;
      },
    );
    expect(await result).toBe(8);
    expect(open.records()).toMatchObject([
      { op: "host matmul", source: "measured", timeUs: 2500, flops: 8 },
    ]);
  });

  it("records nothing of work that throws", () => {
    using open = session();
    const fail = () => {
      throw new Error("no");
    };
    expect(() => measured(() => op, fail)).toThrow("no");
    expect(open.records()).toEqual([]);
  });

  it("does not ask for a description when there is no session", () => {
    const describeOp = vi.fn(() => op);
    expect(measured(describeOp, () => 3)).toBe(3);
    expect(describeOp).not.toHaveBeenCalled();
  });
});

describe("a region", () => {
  it("without a session does nothing", () => {
    expect(() => region("alone")[Symbol.dispose]()).not.toThrow();
  });
});
