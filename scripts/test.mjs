// `npm test [-- vitest arguments]` runs the fast suites; `npm run test:cluster` and
// `npm run test:browser` name another project of vitest.config.ts. With TEST_RESULTS_DIR set to
// a folder, the counts are left there too, for `scripts/summary.mjs`.
import { join } from "node:path";
import { ensureReady, run, tool } from "./lib/ensure.mjs";

const projects = ["unit", "cluster", "browser"];

ensureReady();
const [first, ...rest] = process.argv.slice(2);
const named = projects.includes(first);
const project = named ? first : "unit";
const args = named ? rest : process.argv.slice(2);
run(process.execPath, [
  tool("vitest", "vitest.mjs"),
  "run",
  "--project",
  project,
  ...resultFile(),
  ...args,
]);

function resultFile() {
  const folder = process.env.TEST_RESULTS_DIR;
  if (!folder) return [];
  const name = `${project}-node-${process.versions.node}-${process.pid}.json`;
  const skipped = "--reporter=./test/support/skipped-reporter.ts";
  return [
    "--reporter=default",
    skipped,
    "--reporter=json",
    `--outputFile.json=${join(folder, name)}`,
  ];
}
