import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shortFacts } from "../../../../src/validation/checks/report/short-facts.ts";

describe("the facts of a check, for people", () => {
  test("are words and units instead of names of variables", () => {
    const facts = { loadAverage: 0.123_456, sizeBytes: 2 ** 28, durationMs: 2049, engine: "cpu" };
    expect(shortFacts(facts)).toEqual([
      "load average: 0.1235",
      "size: 256 MiB",
      "duration: 2.05 s",
      "engine: cpu",
    ]);
  });

  test("are on one line where they fit, and sentences on lines of their own", () => {
    const versions = { node: "v22", kernels: "wasm", peers: ["a", "b"] };
    const notCovered = { transfer: "the memory of the device is the host's" };
    expect(shortFacts({ versions, notCovered, telemetry: {}, notTested: [] })).toEqual([
      "versions: node v22, kernels wasm, peers (a, b)",
      "not covered:",
      "- transfer: the memory of the device is the host's",
      "telemetry: none",
      "not tested: none",
    ]);
  });

  test("are a short table where rows are flat", () => {
    const sizes = [
      { bytes: 8, timeUs: 1628.584, busbwGBps: 0.000_004_912 },
      { bytes: 65_536, timeUs: 1582, busbwGBps: 0.0414 },
    ];
    expect(shortFacts({ sizes })).toEqual([
      "sizes:",
      "- 8 B, time 1629 us, busbw 0.000004912 GB/s",
      "- 64 KiB, time 1582 us, busbw 0.0414 GB/s",
    ]);
  });

  test("are a number of entries where there are many, or where they are deep", () => {
    const digests = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`gemm ${at}`, `sha256:${"0".repeat(64)}`]),
    );
    const patterns = { write: { latencyMs: { p50: 1 } }, read: { latencyMs: { p50: 2 } } };
    const telemetry = { devices: { "gpu 0": { memory: { power: [1] } }, "gpu 1": {} } };
    expect(shortFacts({ digests, patterns, telemetry, gpus: [[[1]]] })).toEqual([
      "digests: 50 entries, such as gemm 0",
      "patterns: 2 entries: write, read",
      "telemetry devices: 2 entries: gpu 0, gpu 1",
      "gpus: 1 entry",
    ]);
  });

  test("are never long, whatever they are, and name every fact", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), fc.jsonValue()), (facts) => {
        const lines = shortFacts(facts);
        expect(lines.every((line) => line.length <= 200)).toBe(true);
        for (const name of Object.keys(facts)) {
          expect(lines.some((line) => line.startsWith(name))).toBe(true);
        }
      }),
    );
  });
});
