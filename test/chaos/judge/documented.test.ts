import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { metricNames, propertyNames } from "../../../src/chaos/judge/index.ts";
import { rollbackFailures } from "../../../src/chaos/judge/metrics/rollbacks.ts";

const page = readFileSync(new URL("../../../docs/chaos-metrics.md", import.meta.url), "utf8");

describe("docs/chaos-metrics.md", () => {
  it.each([...metricNames, ...propertyNames, ...rollbackFailures])("says what `%s` is", (name) => {
    expect(page).toContain(`\`${name}\``);
  });

  it("names no metric twice in the table of metrics", () => {
    expect(new Set(metricNames).size).toBe(metricNames.length);
  });
});
