import { describe, expect, it } from "vitest";
import {
  type OnPreemptOptions,
  onPreempt,
  type StepBoundary,
} from "../../../src/chaos/fault/index.ts";
import { sleep, VirtualClock } from "../../../src/platform/time/index.ts";

/** Ten steps of a second each, unless told to stop. */
const job = (clock: VirtualClock) => async (boundary: StepBoundary) => {
  for (let step = 1; step <= 10; step++) {
    await sleep(clock, 1000);
    if ((await boundary()) === "stop") return step;
  }
  return 10;
};

function setUp(more: Partial<OnPreemptOptions> = {}) {
  const clock = new VirtualClock();
  const notice = new AbortController();
  const saves: number[] = [];
  const options: OnPreemptOptions = {
    action: "checkpointThenExit",
    clock,
    notice: notice.signal,
    save: () => void saves.push(clock.monotonicMs()),
    ...more,
  };
  return { clock, notice, saves, options };
}

describe("a notice", () => {
  it("that does not come changes nothing", async () => {
    const { clock, options, saves } = setUp();
    const running = onPreempt(options, job(clock));
    await clock.advance(60_000);
    expect(await running).toEqual({ outcome: "finished", value: 10, usedMs: null });
    expect(saves).toEqual([]);
  });

  it("has the job save at the next boundary and stop", async () => {
    const { clock, notice, options, saves } = setUp();
    const running = onPreempt(options, job(clock));
    await clock.advance(3500);
    notice.abort();
    await clock.advance(60_000);
    expect(await running).toEqual({ outcome: "saved", value: 4, usedMs: 500 });
    expect(saves).toHaveLength(1);
  });

  it("has it stop without a save when that is what was asked for", async () => {
    const { clock, notice, options, saves } = setUp({ action: "partialFlushThenExit" });
    const running = onPreempt(options, job(clock));
    notice.abort();
    await clock.advance(60_000);
    expect(await running).toMatchObject({ outcome: "flushed", value: 1 });
    expect(saves).toEqual([]);
  });

  it("ends it with an error under failFast", async () => {
    const { clock, notice, options } = setUp({ action: "failFast" });
    const running = expect(onPreempt(options, job(clock))).rejects.toMatchObject({
      code: "E_INTERRUPTED",
    });
    notice.abort();
    await clock.advance(60_000);
    await running;
  });

  it("leaves no more than the grace: then the machines are gone", async () => {
    const { clock, notice, options } = setUp({ graceMs: 400 });
    const running = expect(onPreempt(options, job(clock))).rejects.toMatchObject({
      code: "E_TIMEOUT",
    });
    notice.abort();
    await clock.advance(60_000);
    await running;
  });

  it("that came before the job began is a notice all the same", async () => {
    const { clock, notice, options } = setUp();
    notice.abort();
    const running = onPreempt(options, job(clock));
    await clock.advance(60_000);
    expect(await running).toMatchObject({ outcome: "saved", value: 1 });
  });

  it("to a job whose save fails is an error, not a save", async () => {
    const save = () => Promise.reject(new Error("the disk is full"));
    const { clock, notice, options } = setUp({ save });
    const running = expect(onPreempt(options, job(clock))).rejects.toThrow("the disk is full");
    notice.abort();
    await clock.advance(60_000);
    await running;
  });

  it.each([{ action: "checkpoint" }, { graceMs: -1 }, { save: undefined }])(
    "cannot be awaited with %o",
    async (more) => {
      const { clock, options } = setUp();
      const given = { ...options, ...more } as OnPreemptOptions;
      await expect(onPreempt(given, job(clock))).rejects.toMatchObject({ code: "E_FAULT_INVALID" });
    },
  );
});
