import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jobNameOf, runIdOf } from "../../../src/validation/batch/index.ts";

const decision = { cluster: "c", node: "gpu-01", check: "nccl-loopback", plannedAtMs: 1 };

describe("the id of a run", () => {
  test("is the same for the same decision", () => {
    expect(runIdOf(decision)).toBe(runIdOf({ ...decision }));
    expect(runIdOf(decision)).toMatch(/^[0-9a-f]{20}$/);
  });

  test("differs with each part, also where parts could be mistaken for each other", () => {
    const ids = [
      decision,
      { ...decision, plannedAtMs: 2 },
      { ...decision, cluster: "d" },
      { ...decision, cluster: "c,gpu", node: "-01" },
      { ...decision, cluster: "c", node: 'gpu-01","nccl' },
    ].map(runIdOf);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("the name of a job", () => {
  test("shows check, node and the beginning of the id", () => {
    const name = jobNameOf({ id: "0123456789abcdef0123", check: "storage-io", node: "gpu-01" });
    expect(name).toBe("tsr-storage-io-gpu-01-0123456789");
  });

  test("is a DNS label of at most 52 characters whatever nodes and checks are called", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (check, node) => {
        const id = runIdOf({ ...decision, check, node });
        const name = jobNameOf({ id, check, node });
        expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(name.length).toBeLessThanOrEqual(52);
        expect(name.endsWith(id.slice(0, 10))).toBe(true);
      }),
    );
  });
});
