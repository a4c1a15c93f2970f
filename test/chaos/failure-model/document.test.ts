import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../scripts/lib/repository.ts";
import { citations, failureModels, parametersOf } from "../../../src/chaos/failure-model/index.ts";
import { publishedJobs } from "../../../src/chaos/sim/fleet/study/index.ts";

const document = readFileSync(join(root, "docs", "failure-model.md"), "utf8");
const lines = new Set(document.split("\n"));

describe("docs/failure-model.md", () => {
  it.each(Object.entries(failureModels))("has every parameter of %s as it is", (preset, model) => {
    const missing = parametersOf(model)
      .map(({ name, value, unit, citation, note }) => [
        `| \`${name}\` | ${value} | ${unit} | ${citation} | ${note} |`,
        `| \`${preset}\` | \`${name}\` | ${value} | ${unit} | ${citation} | ${note} |`,
      ])
      .filter((rows) => !rows.some((row) => lines.has(row)));
    expect(missing).toEqual([]);
  });

  it("has every input of the back-tests, and every source", () => {
    const inputs = Object.values(publishedJobs).flatMap((job) => Object.entries(job.inputs));
    const rows = inputs.flatMap(([name, input]) =>
      input === null
        ? []
        : [`| \`${name}\` | ${input.value} ${input.unit} | ${input.citation} | ${input.note} |`],
    );
    const sources = Object.entries(citations).map(
      ([name, { title, where }]) => `| ${name} | ${title} | ${where} |`,
    );
    expect([...rows, ...sources].filter((row) => !lines.has(row))).toEqual([]);
  });
});
