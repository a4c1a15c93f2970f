import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { childrenMemoryMax, memoryLimitOf } from "../../src/control/experiments/memory.ts";
import { experimentSettings } from "../../src/control/experiments/settings.ts";
import { parseBytes } from "../../src/platform/units/index.ts";
import { chartFolder } from "./support/helm.ts";

const mebibyte = 2 ** 20;
/** The server itself with a large fleet, by a wide margin. */
const serverBytes = 300 * mebibyte;

interface ChartValues {
  readonly resources: { readonly limits: { readonly memory: string } };
}

describe("the memory of the chart's container", () => {
  const usual = experimentSettings({
    experiments: undefined,
    server: { host: "0.0.0.0", requestTimeoutMs: 60_000 },
  } as unknown as Parameters<typeof experimentSettings>[0]);

  it("has room for an experiment and all that are being planned, so that none takes the server with it", () => {
    const text = readFileSync(join(chartFolder, "values.yaml"), "utf8");
    const { memory } = (parse(text) as ChartValues).resources.limits;
    const limitBytes = parseBytes(`${memory}B`);
    expect(childrenMemoryMax(usual) + serverBytes).toBeLessThanOrEqual(limitBytes);
    // One more at once would have to be reckoned with.
    const more = childrenMemoryMax({ ...usual, concurrent: usual.concurrent + 1 });
    expect(more + serverBytes).toBeGreaterThan(limitBytes);
  });

  it("leaves a plan enough to be made under the lowest limit that may be set", () => {
    const memoryLimitBytes = 128 * mebibyte;
    expect(memoryLimitOf({ kind: "plan" }, { memoryLimitBytes })).toBe(memoryLimitBytes);
  });

  it("is shared so that a plan has half of what a run may hold", () => {
    expect(memoryLimitOf({ kind: "plan" }, usual)).toBe(256 * mebibyte);
    for (const kind of ["run", "minimise", "recover"] as const) {
      expect(memoryLimitOf({ kind }, usual)).toBe(512 * mebibyte);
    }
  });
});
