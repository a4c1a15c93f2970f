import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { experimentJsonSchema, planToExperiment } from "../../../src/chaos/experiment/index.ts";
import { planOf, withFault } from "./experiments.ts";
import { misfits } from "./json-schema-check.ts";

const schema = experimentJsonSchema();
const folder = new URL("../../../examples/chaos/", import.meta.url);
const examples = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const read = (name: string): Record<string, unknown> =>
  parse(readFileSync(new URL(name, folder), "utf8")) as Record<string, unknown>;

interface Part {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
  readonly anyOf?: readonly Part[];
  readonly oneOf?: readonly Part[];
}

/** Every field below a part that nobody describes. */
function undescribed(part: Part, path: string): readonly string[] {
  const fields = Object.entries(part.properties ?? {}).flatMap(([key, field]) => [
    ...(field.description === undefined ? [`${path}.${key}`] : []),
    ...undescribed(field, `${path}.${key}`),
  ]);
  const parts = [...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.items ? [part.items] : [])];
  return [...fields, ...parts.flatMap((one) => undescribed(one, path))];
}

describe("the JSON Schema of experiments", () => {
  test("describes every field", () => {
    expect(undescribed(schema as Part, "")).toEqual([]);
  });

  test("says which draft it is, as editors ask", () => {
    expect(schema).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
    });
  });

  test.each(examples)("takes the example %s", (name) => {
    expect(misfits(schema, read(name))).toEqual([]);
  });

  test("takes what is written of plans of every kind", () => {
    const plans = [
      withFault(
        { for: "3s" },
        { steadyState: [{ http: { url: "http://a/" } }, { throughput: { atLeast: 1 } }] },
      ),
      planOf({ workload: { kind: "inference", replicas: 2, requests: 3, rate: 1 } }),
      planOf({ workload: { kind: "command", command: ["true"] } }),
      planOf({ workload: { kind: "pods", namespace: "a", selector: "b" } }),
    ];
    for (const plan of plans) expect(misfits(schema, planToExperiment(plan))).toEqual([]);
  });

  test.each([
    ["a missing title", { title: undefined }, /title: required/],
    ["an unknown key", { zzz: 1 }, /zzz: additionalProperties/],
    ["a duration without a unit", { limits: { duration: 3 } }, /limits\/duration: anyOf/],
    [
      "a fault that does not exist",
      { faults: [{ fault: "x", target: { rank: 1 }, at: { step: 1 } }] },
      /fault: enum/,
    ],
    [
      "a trigger of two kinds",
      { faults: [{ fault: "off_bus", target: { rank: 1 }, at: { step: 1, restore: 1 } }] },
      /at: maxProperties/,
    ],
    ["a workload of no kind", { workload: { steps: 1 } }, /workload: oneOf/],
  ])("refuses %s", (_, change, message) => {
    expect(misfits(schema, { ...read("kill-gpu.yaml"), ...change }).join("; ")).toMatch(message);
  });
});
