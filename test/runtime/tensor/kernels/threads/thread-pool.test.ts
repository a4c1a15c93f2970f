import { afterEach, describe, expect, it } from "vitest";
import {
  defineKernels,
  i32,
  type Job,
  type Step,
} from "../../../../../src/runtime/tensor/kernels/index.ts";
import {
  ThreadPool,
  type ThreadPoolOptions,
} from "../../../../../src/runtime/tensor/kernels/threads/thread-pool.ts";

const kernels = defineKernels("pool", (m) => {
  m.function("square", { at: "i32" }, (f, { at }) => {
    f.store(at, i32.mul(i32.load(at), i32.load(at)));
  });
  m.function("spin", { turns: "i32" }, (f, { turns }) => {
    const i = f.local("i32");
    f.countTo(i, { limit: turns }, () => f.store(i32.const(64), i));
  });
});
const callOf = (kernel: string, arg: number): Step => {
  return { kind: "call", module: kernels.name, kernel, args: [arg] };
};

const pools: ThreadPool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.stop();
});
function createPool(options?: ThreadPoolOptions): ThreadPool {
  const pool = new ThreadPool(options);
  pools.push(pool);
  return pool;
}

describe("a pool of threads", () => {
  it.each([1, 2, 4])("does every job once with %i threads", (threads) => {
    const pool = createPool();
    for (let round = 0; round < 5; round++) {
      const numbers = new Int32Array(new SharedArrayBuffer(400)).map((_, index) => index);
      const data = sharedCopy(numbers);
      pool.run(squares(data), { threads });
      expect([...data]).toEqual([...numbers].map((value) => value * value));
    }
  });

  it("is helped by other threads, which share the work and its code", () => {
    expect(isHelped(createPool())).toBe(true);
  });

  it("keeps what is not shared on the caller's thread", () => {
    const data = Int32Array.of(1, 2, 3);
    expect(createPool().run(squares(data), { threads: 4 })).toEqual({ threads: 1 });
    expect([...data]).toEqual([1, 4, 9]);
  });

  it("asks no more threads than there are jobs", () => {
    const pool = createPool();
    expect(pool.run(squares(sharedCopy([3])), { threads: 8 })).toEqual({ threads: 1 });
    expect(pool.run([], { threads: 8 })).toEqual({ threads: 1 });
    expect(pool.run(squares(sharedCopy([3, 4])), { threads: 8 })).toEqual({ threads: 2 });
  });

  it("reports the job that failed, whoever ran it, and goes on afterwards", () => {
    const pool = createPool();
    const jobs = squares(sharedCopy([1, 2, 3, 4]));
    const bad: Job = {
      buffers: [],
      modules: [kernels],
      memoryBytes: 4,
      program: [callOf("absent", 0)],
    };
    expect(() => pool.run([...jobs, bad, ...jobs], { threads: 2 })).toThrow(
      "a kernel failed: TypeError: no kernel pool.absent",
    );
    const data = sharedCopy([5, 6]);
    expect(pool.run(squares(data), { threads: 2 })).toEqual({ threads: 2 });
    expect([...data]).toEqual([25, 36]);
    expect(pool.hasHelp).toBe(true);
  });

  it("refuses two modules of one name", () => {
    const pool = createPool();
    pool.run(squares(sharedCopy([1])));
    const other = defineKernels(kernels.name, (m) => {
      m.function("square", { at: "i32" }, () => {});
    });
    const jobs = squares(sharedCopy([1])).map((job) => ({ ...job, modules: [other] }));
    expect(() => pool.run(jobs)).toThrow("one module is called pool");
  });

  it("refuses a number of threads or a memory that cannot be", () => {
    const pool = createPool();
    expect(() => pool.run([], { threads: 0 })).toThrow("1 to 64 threads");
    expect(() => pool.run([], { threads: 1.5 })).toThrow("1 to 64 threads");
    const huge = { buffers: [], modules: [], memoryBytes: 2 ** 30, program: [] };
    expect(() => pool.run([huge])).toThrow("jobMemoryMaxBytes");
  });
});

describe("a helper that fails its pool", () => {
  const takesAndDies = `const { parentPort, workerData } = require("node:worker_threads");
    parentPort.on("message", ({ shared, jobs }) => {
      if (Atomics.add(shared, 0, 1) < jobs.length) process.exit();
      Atomics.add(workerData.handled, 0, 1);
    });`;
  const patience = { lookMs: 20, looksMax: 5 };

  it("is an error when it dies with a job, and then the caller works alone", () => {
    const pool = createPool({ source: takesAndDies, patience });
    expect(() => runUntilTaken(pool)).toThrow("took a job and ended or stopped");
    expect(pool.hasHelp).toBe(false);
    const data = sharedCopy([7, 8]);
    expect(pool.run(squares(data), { threads: 2 })).toEqual({ threads: 1 });
    expect([...data]).toEqual([49, 64]);
  });

  it("costs nothing when it dies without one", async () => {
    const pool = createPool({ source: "process.exit()", patience });
    const data = sharedCopy([2, 3]);
    pool.run(squares(data), { threads: 2 });
    expect([...data]).toEqual([4, 9]);
    await expect
      .poll(() => pool.run(squares(data), { threads: 2 }), { timeout: 60_000 })
      .toEqual({ threads: 1 });
    expect(pool.hasHelp).toBe(false);
  });

  it("is not asked again and again when it never answers", () => {
    const pool = createPool({
      source: `require("node:worker_threads").parentPort.on("close", () => {});`,
    });
    const asked = Array.from({ length: 100 }, () => {
      return pool.run(squares(sharedCopy([1, 2])), { threads: 2 }).threads - 1;
    });
    expect(asked.filter((count) => count > 0)).toHaveLength(64);
  });
});

function sharedCopy(numbers: Iterable<number>): Int32Array {
  const given = Int32Array.from(numbers);
  const shared = new Int32Array(new SharedArrayBuffer(given.byteLength));
  shared.set(given);
  return shared;
}

/** One job for each number. */
function squares(data: Int32Array): Job[] {
  return [...data.keys()].map((index) => {
    const copy = { buffer: 0, start: 4 * index, address: 16, sizeBytes: 4 };
    return {
      buffers: [data.buffer],
      modules: [kernels],
      memoryBytes: 32,
      program: [{ kind: "copyIn", ...copy }, callOf("square", 16), { kind: "copyOut", ...copy }],
    };
  });
}

/** Long enough for a helper to come in on a busy machine, in turns that end as soon as it has. */
function runUntilTaken(pool: ThreadPool): void {
  const spin: Job = {
    buffers: [],
    modules: [kernels],
    memoryBytes: 128,
    program: [callOf("spin", 1e6)],
  };
  for (let round = 0; round < 2000; round++) pool.run([spin, spin, spin, spin], { threads: 2 });
}

/** Whether, in many rounds, a job was done in a memory that is not the caller's. */
function isHelped(pool: ThreadPool): boolean {
  const copy = { buffer: 0, start: 0, address: 96, sizeBytes: 4 };
  const common = { modules: [kernels], memoryBytes: 128 };
  const mark: Job = {
    ...common,
    buffers: [Int32Array.of(1).buffer],
    program: [{ kind: "copyIn", ...copy }],
  };
  // Not shared, so it marks the caller's memory; every other has 0 at this address.
  pool.run([mark]);
  for (let round = 0; round < 5000; round++) {
    const marks = sharedCopy([1, 1]);
    const jobs = [0, 4].map((start): Job => {
      const program: Step[] = [callOf("spin", 1e5), { kind: "copyOut", ...copy, start }];
      return { ...common, buffers: [marks.buffer], program };
    });
    pool.run(jobs, { threads: 2 });
    if (marks.includes(0)) return true;
  }
  return false;
}
