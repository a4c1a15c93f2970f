import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import {
  availabilityIntervalS,
  availabilityOf,
  type CheckpointJob,
  checkpointsToKeep,
  ettrOf,
  exactIntervalS,
  flatRange,
  simulateSplit,
  timeSplit,
} from "../../../src/runtime/planning/index.ts";

const causes = ["productive", "saving", "lostWork", "detection", "restart"] as const;

const jobs: fc.Arbitrary<CheckpointJob> = fc
  .record({
    mtbfS: fc.double({ min: 600, max: 1e6, noNaN: true }),
    blocking: fc.double({ min: 1e-4, max: 0.3, noNaN: true }),
    background: fc.double({ min: 0, max: 0.3, noNaN: true }),
    restart: fc.double({ min: 0, max: 0.5, noNaN: true }),
    detect: fc.double({ min: 0, max: 0.4, noNaN: true }),
  })
  .map(({ mtbfS, blocking, background, restart, detect }) => ({
    mtbfS,
    blockingS: blocking * mtbfS,
    writeS: (blocking + background) * mtbfS,
    restartS: restart * mtbfS,
    detectS: detect * mtbfS,
  }));

const plain: CheckpointJob = {
  mtbfS: 10_000,
  blockingS: 60,
  writeS: 60,
  restartS: 600,
  detectS: 0,
};

describe("the exact form", () => {
  test("all time is accounted for", () => {
    fc.assert(
      fc.property(jobs, fc.double({ min: 0.01, max: 5, noNaN: true }), (job, share) => {
        const split = timeSplit(job, share * job.mtbfS);
        const sum = causes.reduce((total, cause) => total + split[cause], 0);
        expect(sum).toBeCloseTo(1, 9);
        expect(split.productive).toBeCloseTo(ettrOf(job, share * job.mtbfS), 12);
        for (const cause of causes) expect(split[cause]).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test("no interval that may be used is better than the best", () => {
    fc.assert(
      fc.property(jobs, fc.double({ min: 0.05, max: 20, noNaN: true }), (job, factor) => {
        const best = exactIntervalS(job);
        const other = Math.max(best * factor, job.writeS - job.blockingS);
        expect(ettrOf(job, other)).toBeLessThanOrEqual(ettrOf(job, best) * (1 + 1e-12));
      }),
    );
  });

  test("the flat stretch holds the best and nothing that is worse than it says", () => {
    fc.assert(
      fc.property(jobs, fc.double({ min: 0, max: 1, noNaN: true }), (job, share) => {
        const { fromS, toS } = flatRange(job, 0.01);
        const best = exactIntervalS(job);
        expect(fromS).toBeLessThanOrEqual(best);
        expect(toS).toBeGreaterThanOrEqual(best);
        const inside = ettrOf(job, fromS + share * (toS - fromS));
        expect(inside).toBeGreaterThanOrEqual(0.99 * ettrOf(job, best) * (1 - 1e-9));
        expect(ettrOf(job, toS * 1.01)).toBeLessThan(0.99 * ettrOf(job, best));
      }),
    );
  });

  test("a longer restart costs, and leaves the best interval where it is", () => {
    const slower = { ...plain, restartS: 1200 };
    const best = exactIntervalS(plain);
    expect(exactIntervalS(slower)).toBe(best);
    expect(ettrOf(slower, best)).toBeLessThan(ettrOf(plain, best));
  });

  test("an asynchronous save is worth it, but is not written before it is written", () => {
    const async = { ...plain, blockingS: 2 };
    const best = exactIntervalS(async);
    expect(best).toBeLessThan(exactIntervalS(plain));
    expect(ettrOf(async, best)).toBeGreaterThan(ettrOf(plain, exactIntervalS(plain)));
    const instantly = { ...async, writeS: 2 };
    expect(ettrOf(async, best)).toBeLessThan(ettrOf(instantly, best));
    const slowDisk = { ...async, writeS: 3000 };
    expect(exactIntervalS(slowDisk)).toBe(2998);
  });

  test("detection is counted apart from the restart, and together they cost what one of them would", () => {
    const apart = timeSplit({ ...plain, detectS: 200, restartS: 400 }, 1000);
    const together = timeSplit(plain, 1000);
    expect(apart.productive).toBeCloseTo(together.productive, 12);
    expect(apart.detection + apart.restart).toBeCloseTo(together.restart, 12);
    expect(apart.detection).toBeGreaterThan(0);
    expect(together.detection).toBe(0);
  });

  test("where no save is ever reached, nothing is productive", () => {
    expect(ettrOf(plain, 1e9)).toBe(0);
    expect(timeSplit(plain, 1e9).lostWork).toBe(1);
  });
});

/**
 * The job walked through second by second's events, apart from the code under test: failures at times
 * of their own, outages that start over, saves that count once they are written. @returns the share kept
 */
function walkedShare(job: CheckpointJob, computeS: number, failures: number): number {
  const stream = createRng("walk").stream(JSON.stringify(job));
  const nextFailure = (from: number) => from - job.mtbfS * Math.log(1 - stream.float());
  let [now, kept] = [0, 0];
  for (let failure = 0; failure < failures; failure++) {
    const endsAt = nextFailure(now);
    let at = now + job.detectS + job.restartS;
    for (;;) {
      const savedAt = at + computeS + job.writeS;
      if (savedAt > endsAt) break;
      kept += computeS;
      at += computeS + job.blockingS;
    }
    now = endsAt;
  }
  return kept / now;
}

describe("simulated failures", () => {
  test.each([
    ["usual", plain, 1000],
    ["asynchronous", { ...plain, blockingS: 5, writeS: 800 }, 900],
    ["hardly productive", { ...plain, mtbfS: 900, detectS: 100 }, 300],
    ["never fails twice in a year, restarts at once", { ...plain, mtbfS: 1e8, restartS: 0 }, 1e5],
  ] as const)("a walk through events keeps what the exact form says: %s", (_, job, computeS) => {
    const share = walkedShare(job, computeS, 20_000);
    expect(Math.abs(share - ettrOf(job, computeS))).toBeLessThan(0.006);
    // The walk can tell: without its saves' time the form would be off.
    const free = ettrOf(
      { ...job, blockingS: 1e-9, writeS: job.writeS - job.blockingS + 1e-9 },
      computeS,
    );
    if (job.blockingS / computeS > 0.02) expect(Math.abs(share - free)).toBeGreaterThan(0.006);
  });

  test.each([
    ["plain saves", plain, 1000],
    ["asynchronous saves", { ...plain, blockingS: 5, writeS: 400 }, 500],
    ["slow detection", { ...plain, detectS: 900 }, 1500],
    ["failures during restarts", { ...plain, mtbfS: 900 }, 250],
  ] as const)("agree with the exact form in every cause: %s", (name, job, computeS) => {
    const stream = createRng("planning").stream(name);
    const seen = simulateSplit(job, { computeS, shape: 1, failures: 40_000 }, stream);
    const split = timeSplit(job, computeS);
    expect(Math.abs(seen.productive - split.productive)).toBeLessThan(4 * seen.standardError);
    for (const cause of causes) expect(Math.abs(seen[cause] - split[cause])).toBeLessThan(0.006);
  });

  test("clusters of failures help a little, and failures that keep a distance cost a little", () => {
    const job = { ...plain, mtbfS: 11_131 };
    const computeS = exactIntervalS(job);
    const [clustered, mild, spaced] = [0.5, 0.8, 2].map((shape) => {
      const stream = createRng("planning").stream(String(shape));
      return simulateSplit(job, { computeS, shape, failures: 40_000 }, stream).productive;
    });
    // reference/chaos.md 4.1: 0.858 to 0.874 for shapes of 0.8 to 0.5, where the exact form has 0.853.
    expect(clustered).toBeCloseTo(0.874, 2);
    expect(mild).toBeCloseTo(0.858, 2);
    expect(spaced).toBeLessThan(0.853);
  });

  test("the same stream gives the same run, another another one", () => {
    const run = (seed: string) =>
      simulateSplit(
        plain,
        { computeS: 1000, shape: 0.7, failures: 400 },
        createRng(seed).stream("s"),
      );
    expect(run("1")).toEqual(run("1"));
    expect(run("1")).not.toEqual(run("2"));
  });
});

describe("availability and how many to keep", () => {
  test("its interval is the best of its own objective", () => {
    fc.assert(
      fc.property(jobs, fc.double({ min: 0.1, max: 10, noNaN: true }), (job, factor) => {
        const found = { ...job, detectS: 0 };
        const best = availabilityIntervalS(found);
        const other = availabilityOf(found, factor * best);
        expect(other).toBeLessThanOrEqual(availabilityOf(found, best) * (1 + 1e-12));
      }),
    );
  });

  test("two are always older than an error stays unseen", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 100, max: 1e5, noNaN: true }),
        fc.double({ min: 0, max: 1e5, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (periodS, unseenS, age) => {
          const keep = checkpointsToKeep(periodS, unseenS);
          const ages = Array.from({ length: keep }, (_, index) => (index + age) * periodS);
          expect(ages.filter((old) => old >= unseenS).length).toBeGreaterThanOrEqual(2);
        },
      ),
    );
    expect(checkpointsToKeep(1000, 0)).toBe(2);
  });
});
