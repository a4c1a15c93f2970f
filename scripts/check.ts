// `npm run check [-- names]`: everything that can be said about the sources without running them,
// in under a minute. All steps run, all failures are shown.

import { leaveCounts } from "./lib/counts.ts";
import { root, tool } from "./lib/repository.ts";
import { resultLine, runSteps, type Step } from "./lib/steps.ts";

const node = process.execPath;

const steps: readonly Step[] = [
  { name: "types", command: [node, tool("typescript", "bin", "tsc"), "--noEmit"] },
  {
    name: "web-types",
    command: [node, tool("typescript", "bin", "tsc"), "--noEmit", "-p", "web/tsconfig.json"],
  },
  { name: "lint", command: [node, tool("oxlint", "bin", "oxlint")] },
  { name: "format", command: [node, tool("@biomejs", "biome", "bin", "biome"), "check", "."] },
  { name: "knip", command: [node, tool("knip", "bin", "knip.js"), "--no-progress"] },
  { name: "publint", command: [node, tool("publint", "src", "cli.js"), "run", "--strict"] },
  { name: "docs", command: [node, "scripts/ts.mjs", "scripts/docs/main.ts", "--check"] },
  {
    name: "tidy",
    command: [node, tool("vitest", "vitest.mjs"), "run", "--project", "unit", "test/tidy"],
  },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`no such check: ${unknown.join(", ")}; there are ${namesOf(steps)}`);
  process.exit(2);
}
const chosen = steps.filter((step) => wanted.length === 0 || wanted.includes(step.name));
const startedMs = performance.now();
const results = await runSteps(chosen, {
  // The tools use several cores themselves.
  parallel: 2,
  cwd: root,
  onDone: (result) => console.log(resultLine(result)),
});
const failed = results.filter((result) => !result.passed);
for (const { name, output } of failed) console.log(`\n--- ${name}\n${output.trimEnd()}`);
leaveCounts("check", {
  passed: results.length - failed.length,
  failed: failed.length,
  skipped: 0,
});
const seconds = Math.round((performance.now() - startedMs) / 1000);
const verdict = failed.length === 0 ? "all passed" : `failed: ${namesOf(failed)}`;
console.log(`\ncheck: ${results.length} steps in ${seconds} s, ${verdict}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function namesOf(list: readonly { readonly name: string }[]): string {
  return list.map(({ name }) => name).join(", ");
}
