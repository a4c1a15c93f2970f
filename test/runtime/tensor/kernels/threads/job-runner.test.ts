import assert from "node:assert/strict";
import { describe, expect, it } from "vitest";
import { defineKernels, i32, type Step } from "../../../../../src/runtime/tensor/kernels/index.ts";
import { copyRows } from "../../../../../src/runtime/tensor/kernels/threads/copy-rows.ts";
import { createViews } from "../../../../../src/runtime/tensor/kernels/threads/create-views.ts";
import { createJobRunner } from "../../../../../src/runtime/tensor/kernels/threads/job-runner.ts";
import { webAssembly } from "../../../../../src/runtime/tensor/kernels/wasm/web-assembly.ts";

const kernels = defineKernels("sums", (m) => {
  m.function("addTo", { at: "i32", value: "i32" }, (f, { at, value }) => {
    f.store(at, i32.add(i32.load(at), value));
  });
});

describe("a job's program", () => {
  it("copies in, calls kernels and copies out", () => {
    const buffer = Int32Array.of(10, 20, 30, 0).buffer;
    run(buffer, [
      { kind: "copyIn", buffer: 0, start: 4, address: 64, sizeBytes: 4 },
      { kind: "call", module: "sums", kernel: "addTo", args: [64, 5] },
      { kind: "copyOut", buffer: 0, start: 12, address: 64, sizeBytes: 4 },
    ]);
    expect([...new Int32Array(buffer)]).toEqual([10, 20, 30, 25]);
  });

  it("copies rows of a rectangle either way", () => {
    const buffer = Int32Array.from({ length: 16 }, (_, index) => index).buffer;
    const rows = { count: 2, bufferStride: 16, addressStride: 8 };
    const rectangle = { buffer: 0, start: 20, address: 0, sizeBytes: 8, rows };
    run(buffer, [
      { kind: "copyIn", ...rectangle },
      { kind: "copyOut", buffer: 0, start: 0, address: 0, sizeBytes: 16 },
      { kind: "copyOut", ...rectangle, start: 32 },
    ]);
    expect([...new Int32Array(buffer)]).toEqual([
      5, 6, 9, 10, 4, 5, 6, 7, 5, 6, 10, 11, 9, 10, 14, 15,
    ]);
  });

  it("copies rows without gaps as well, and none at all", () => {
    const buffer = Int32Array.of(1, 2, 3, 4, 0, 0).buffer;
    const rows = { count: 2, bufferStride: 4, addressStride: 4 };
    const copy = { buffer: 0, start: 4, address: 8, sizeBytes: 4, rows };
    run(buffer, [
      { kind: "copyIn", ...copy },
      { kind: "copyOut", ...copy, start: 16 },
      { kind: "copyOut", ...copy, start: 0, rows: { ...rows, count: 0 } },
    ]);
    expect([...new Int32Array(buffer)]).toEqual([1, 2, 3, 4, 2, 3]);
  });

  it("repeats steps with numbers that move, one repeat within another", () => {
    const buffer = new Int32Array(6).buffer;
    const value = { from: 1, by: [10, 100] };
    const at = { from: 0, by: [12, 4] };
    const turn: readonly Step[] = [
      { kind: "copyIn", buffer: 0, start: at, address: 0, sizeBytes: 4 },
      { kind: "call", module: "sums", kernel: "addTo", args: [0, value] },
      { kind: "copyOut", buffer: 0, start: at, address: 0, sizeBytes: 4 },
    ];
    run(buffer, [
      { kind: "repeat", count: 2, steps: [{ kind: "repeat", count: 3, steps: turn }] },
      { kind: "repeat", count: 0, steps: turn },
    ]);
    expect([...new Int32Array(buffer)]).toEqual([1, 101, 201, 11, 111, 211]);
  });

  it("is refused what reaches beyond its buffer, its memory or its kernels", () => {
    const buffer = new ArrayBuffer(16);
    const copy = { kind: "copyIn", buffer: 0, start: 8, address: 0, sizeBytes: 16 } as const;
    expect(() => run(buffer, [copy])).toThrow("beyond its buffer");
    expect(() => run(buffer, [{ ...copy, start: -16 }])).toThrow("beyond its buffer");
    expect(() => run(buffer, [{ ...copy, start: 0, address: 65_530 }])).toThrow("or the memory");
    expect(() => run(buffer, [{ ...copy, buffer: 1 }])).toThrow("no buffer 1");
    const call = { kind: "call", module: "sums", kernel: "absent", args: [] } as const;
    expect(() => run(buffer, [call])).toThrow("no kernel sums.absent");
    expect(() => run(buffer, [{ ...call, kernel: "addTo", args: [65_536, 1] }])).toThrow(
      /out of bounds/,
    );
  });

  it("has as much memory as it asks for", () => {
    const buffer = new ArrayBuffer(4);
    const program = [
      { kind: "copyIn", buffer: 0, start: 0, address: 200_000, sizeBytes: 4 },
    ] as const;
    expect(() => run(buffer, program)).toThrow("or the memory");
    run(buffer, program, 200_004);
  });

  it("gives a sign of life at every step", () => {
    let steps = 0;
    const runner = createRunner();
    const call = { kind: "call", module: "sums", kernel: "addTo", args: [0, 1] } as const;
    const program: readonly Step[] = [call, { kind: "repeat", count: 3, steps: [call, call] }];
    runner.run({ buffers: [], memoryBytes: 4, program }, () => steps++);
    expect(steps).toBe(8);
  });
});

function createRunner() {
  assert(webAssembly !== undefined);
  const runner = createJobRunner({
    webAssembly,
    memoryMaxBytes: 4 * 65_536,
    copyRows,
    createViews,
  });
  runner.addModule(kernels.name, kernels.compiled());
  return runner;
}

function run(buffer: ArrayBuffer, program: readonly Step[], memoryBytes = 65_536): void {
  createRunner().run({ buffers: [buffer], memoryBytes, program });
}
