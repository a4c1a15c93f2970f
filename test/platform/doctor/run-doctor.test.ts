import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createDiagnosis,
  type DoctorFinding,
  exitCodeOf,
  type Finding,
  findingStates,
  type Probe,
  runDoctor,
} from "../../../src/platform/doctor/index.ts";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";

const works: Finding = { state: "works", reason: "Fine." };

function probe(id: string, find: Probe["find"], required = false): Probe {
  return { id, title: id.toUpperCase(), required, neededFor: "tests", find };
}

const options = () => ({ clock: createRealClock(), env: {} });

describe("runDoctor", () => {
  it("returns findings in the order of the probes, with the question beside the answer", async () => {
    const findings = await runDoctor(
      [probe("a", async () => works, true), probe("b", async () => ({ ...works, hint: "h" }))],
      options(),
    );
    expect(findings).toMatchObject([
      { id: "a", title: "A", required: true, neededFor: "tests", state: "works", reason: "Fine." },
      { id: "b", required: false, hint: "h" },
    ]);
  });

  it("turns a probe that throws into unknown, and goes on with the others", async () => {
    const findings = await runDoctor(
      [
        probe("rejects", () => Promise.reject(new Error("broken tool"))),
        probe("throws", () => {
          throw new Error("broken probe");
        }),
        probe("fine", async () => works),
      ],
      options(),
    );
    expect(findings.map(({ state, reason }) => [state, reason])).toEqual([
      ["unknown", "broken tool"],
      ["unknown", "broken probe"],
      ["works", "Fine."],
    ]);
  });

  it("turns a probe that takes too long into unknown, and tells it to stop", async () => {
    const clock = new VirtualClock();
    let told: unknown;
    const endless = probe(
      "endless",
      ({ signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            told = signal.reason;
          });
        }),
    );
    const running = runDoctor([endless], { clock, env: {}, timeoutMsPerProbe: 5000 });
    await clock.advance(4999);
    expect(told).toBeUndefined();
    await clock.advance(1);
    const [finding] = await running;
    expect(finding).toMatchObject({ state: "unknown", durationMs: 5000 });
    expect(finding?.reason).toContain("5 s");
    expect(told).toBeDefined();
    expect(clock.timersPending).toBe(0);
  });

  it("never takes an answer that makes no sense for good", async () => {
    const nonsense = [undefined, {}, { state: "great", reason: "x" }, { state: "works" }];
    const probes = nonsense.map((answer, index) =>
      probe(`p${index}`, async () => answer as unknown as Finding),
    );
    for (const { state } of await runDoctor(probes, options())) expect(state).toBe("unknown");
  });

  it("asks no more probes at a time than it may", async () => {
    let now = 0;
    let most = 0;
    const probes = Array.from({ length: 9 }, (_, index) =>
      probe(`p${index}`, async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setImmediate(resolve));
        now--;
        return works;
      }),
    );
    await runDoctor(probes, { ...options(), concurrency: 3 });
    expect(most).toBe(3);
  });

  it("tells of each beginning and each finding as it happens", async () => {
    const events: string[] = [];
    await runDoctor([probe("a", async () => works)], {
      ...options(),
      onStart: ({ id }) => events.push(`start ${id}`),
      onFinding: ({ id, state }) => events.push(`${id} ${state}`),
    });
    expect(events).toEqual(["start a", "a works"]);
  });

  it("stops with the reason of the signal", async () => {
    const stop = new AbortController();
    const hanging = probe("a", () => new Promise(() => {}));
    const running = runDoctor([hanging], { ...options(), signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });

  it("lets no secret into a finding", async () => {
    const leaky = probe("a", async () => ({
      state: "works",
      reason: "postgres://user:hunter2@db/x answers",
      evidence: { password: "hunter2", url: "postgres://user:hunter2@db/x" },
    }));
    expect(JSON.stringify(await runDoctor([leaky], options()))).not.toContain("hunter2");
  });

  it("refuses two probes of one name", () => {
    const twice = [probe("a", async () => works), probe("a", async () => works)];
    expect(() => runDoctor(twice, options())).toThrow("probe ids repeat");
  });
});

describe("exitCodeOf", () => {
  const anyFinding = fc.record({
    state: fc.constantFrom(...findingStates),
    required: fc.boolean(),
  });

  it("is 0 exactly when every required thing works, perhaps with a limit", () => {
    fc.assert(
      fc.property(fc.array(anyFinding, { maxLength: 8 }), (findings) => {
        const required = findings.filter((one) => one.required).map(({ state }) => state);
        const good = required.every((state) => state === "works" || state === "limited");
        const code = exitCodeOf({ findings: findings as DoctorFinding[] });
        expect(code === 0).toBe(good);
        if (required.includes("missing")) expect(code).toBe(1);
        else if (required.includes("unknown")) expect(code).toBe(3);
      }),
      { seed: 20261115 },
    );
  });
});

describe("createDiagnosis", () => {
  it("has the documented shape, and leaves out what is not there", () => {
    const host = { os: "linux", kernel: "6.1", arch: "x64", cpus: 2, memoryBytes: 1024 };
    const finding: DoctorFinding = {
      durationMs: 3,
      neededFor: "all",
      id: "node",
      reason: "Fine.",
      required: true,
      state: "works",
      title: "Node.js",
    };
    const diagnosis = createDiagnosis(host, [finding]);
    expect(Object.keys(diagnosis)).toEqual(["version", "host", "findings", "summary"]);
    expect(diagnosis.summary).toEqual({ works: 1, limited: 0, missing: 0, unknown: 0 });
    expect(diagnosis.findings.map((one) => Object.keys(one))).toEqual([
      ["id", "title", "state", "required", "reason", "neededFor", "durationMs"],
    ]);
  });
});
