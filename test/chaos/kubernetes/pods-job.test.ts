import { describe, expect, it } from "vitest";
import { PodsJob, type PodsJobParts } from "../../../src/chaos/kubernetes/pods-job.ts";
import { ReadinessBook } from "../../../src/chaos/live/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";

/** One ready pod, whose log is `log`, looked at every second. */
function podsAt(progress: boolean) {
  const now = { isLive: true, log: "", us: 0 };
  const pod = { name: "p-0", uid: "u-0", isReady: true, hasSucceeded: false };
  const watch = {
    get isLive() {
      return now.isLive;
    },
    pods: [pod],
  };
  const client = { logs: async () => now.log };
  const job = new PodsJob({
    workload: { kind: "pods", namespace: "serving", selector: "app=a", progress },
    world: { client, clock: new VirtualClock() },
    run: "k-1",
    watch,
    isReachable: undefined,
    wanted: 1,
  } as unknown as PodsJobParts);
  const book = new ReadinessBook({ hasProgress: progress, atStart: "", onEvent: () => {} });
  const { signal } = new AbortController();
  const look = () => {
    now.us += 1_000_000;
    return job.look({ book, nowUs: () => now.us, signal });
  };
  const print = (step: number) => {
    now.log += `${JSON.stringify({ tessera: { step } })}\n`;
  };
  return { now, job, book, look, print };
}

describe("pods", () => {
  it("whose watch is not live are seen by nobody, and those of a live one are", async () => {
    const { now, look } = podsAt(false);
    expect(await look()).toBe(true);
    now.isLive = false;
    expect(await look()).toBe(false);
  });

  it("that tell of steps are back with one of after the fault, and not with one of before", async () => {
    const { now, job, book, look, print } = podsAt(true);
    await look();
    print(1);
    const faultUs = now.us + 500_000;
    await look();
    expect(job.isBack(book, 0)).toBe(true);
    expect(job.isBack(book, faultUs)).toBe(false);
    print(2);
    await look();
    expect(job.isBack(book, faultUs)).toBe(true);
  });

  it("that tell of none are back when they are ready", async () => {
    const { job, book, look } = podsAt(false);
    await look();
    expect(job.isBack(book, 500_000)).toBe(true);
  });
});
