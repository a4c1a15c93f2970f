import { expect, test } from "vitest";
import { stepTimeoutMs } from "../../../../src/cli/agent/slurm/open-slurm-ranks.ts";

test.each([60_000, 3_600_000, 4 * 3_600_000])(
  "ranks on Slurm may take all of their job's %d ms, and Slurm is the first to end them",
  (timeLimitMs) => {
    expect(stepTimeoutMs({ timeLimitMs })).toBeGreaterThan(timeLimitMs + 60_000);
  },
);
