import { afterEach, describe, expect, it } from "vitest";
import { createRealClock } from "../../../../src/platform/time/real-clock.ts";
import {
  createCpuMatmul,
  createCpuMemory,
  createCpuMixed,
  type Mismatch,
  type StressEngine,
} from "../../../../src/runtime/stress/index.ts";

const clock = createRealClock();
const { signal } = new AbortController();
const open: StressEngine[] = [];

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
});

const corrupt = { iteration: 2, bit: 37 };
const engines = {
  matmul: (over = {}) => createCpuMatmul({ clock, size: 48, ...over }),
  "matmul in bf16": (over = {}) => createCpuMatmul({ clock, size: 32, dtype: "bf16", ...over }),
  memory: (over = {}) => createCpuMemory({ clock, sizeBytes: 256 * 1024, ...over }),
  mixed: (over = {}) => createCpuMixed({ clock, size: 16, ...over }),
} satisfies Record<string, (over?: object) => StressEngine>;

/** So many iterations, one slice each, and everything that was found wrong. */
async function play(engine: StressEngine, iterations: number): Promise<readonly Mismatch[]> {
  open.push(engine);
  const wrong: Mismatch[] = [];
  for (let at = 0; at < iterations; at++) {
    const slice = await engine.advance(0, signal);
    expect(slice.iterationsMs).toHaveLength(1);
    wrong.push(...slice.mismatches);
  }
  return wrong;
}

describe.each(Object.keys(engines) as (keyof typeof engines)[])("the cpu engine for %s", (kind) => {
  it("finds nothing wrong on a sound machine", async () => {
    const engine = engines[kind]();
    expect(await play(engine, 20)).toEqual([]);
    expect(engine).toMatchObject({ device: "cpu", verifies: true });
    expect(engine.work.amount).toBeGreaterThan(0);
  });

  it("names the iteration whose result was broken, and no other", async () => {
    const wrong = await play(engines[kind]({ corrupt }), 20);
    expect(wrong).toHaveLength(1);
    expect(wrong[0]?.iteration).toBe(2);
    expect(wrong[0]?.place).toMatch(/^row 0$|^word 1$|^layers\.0\.weight$/);
  });

  it("finds nothing when nobody verifies", async () => {
    const engine = engines[kind]({ verify: false, corrupt });
    expect(await play(engine, 10)).toEqual([]);
    expect(engine.verifies).toBe(false);
    expect(engine.description).toContain("none verified");
  });
});

describe("an engine of steps", () => {
  it("works for as long as asked", async () => {
    const engine = engines.memory();
    open.push(engine);
    const startedMs = clock.monotonicMs();
    const { iterationsMs } = await engine.advance(50, signal);
    expect(clock.monotonicMs() - startedMs).toBeGreaterThanOrEqual(50);
    expect(iterationsMs.length).toBeGreaterThan(0);
  });

  it("ends with the signal's reason", async () => {
    const engine = engines.memory();
    open.push(engine);
    const controller = new AbortController();
    controller.abort(new Error("enough"));
    await expect(engine.advance(1e9, controller.signal)).rejects.toThrow("enough");
  });

  it("may be closed twice", async () => {
    const engine = engines.memory();
    await engine.close();
    await engine.close();
  });
});
