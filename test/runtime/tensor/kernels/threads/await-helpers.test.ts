import { describe, expect, it } from "vitest";
import { awaitHelpers } from "../../../../../src/runtime/tensor/kernels/threads/await-helpers.ts";
import {
  createSharedRun,
  sharedRunLayout,
} from "../../../../../src/runtime/tensor/kernels/threads/shared-run.ts";

const patience = { lookMs: 5, looksMax: 3 };

describe("waiting for helpers", () => {
  it("ends at once when every job has ended", () => {
    const shared = createSharedRun();
    Atomics.store(shared, sharedRunLayout.ended, 2);
    const patient = { lookMs: 60_000, looksMax: 1 };
    expect(awaitHelpers(shared, { jobCount: 2, patience: patient })).toBe(true);
  });

  it("gives up on a job that was taken and shows no sign of life", () => {
    const shared = createSharedRun();
    Atomics.store(shared, sharedRunLayout.ended, 1);
    expect(awaitHelpers(shared, { jobCount: 2, patience })).toBe(false);
  });
});
