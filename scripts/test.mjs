// `npm test [-- vitest arguments]` runs the fast suites; `npm run test:cluster`, `test:slurm` and
// `test:browser` name another project of vitest.config.ts. With TEST_RESULTS_DIR set to a folder,
// the counts are left there too, for `scripts/summary.mjs`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesThatCrashed, withoutCrashed } from "./lib/crashed-files.mjs";
import { ensureReady, root, tool } from "./lib/ensure.mjs";

const projects = ["unit", "cluster", "slurm", "browser"];

ensureReady();
const [first, ...rest] = process.argv.slice(2);
const named = projects.includes(first);
const project = named ? first : "unit";
const temporary = mkdtempSync(join(tmpdir(), "tessera-test-"));
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
const folder = process.env.TEST_RESULTS_DIR || temporary;

const args = named ? rest : process.argv.slice(2);
const run = test(args, "");
process.exitCode = run.status === 0 ? 0 : afterCrash(run);

/** Runs vitest; its JSON report is left in the folder. */
function test(vitestArgs, suffix) {
  const name = `${project}-node-${process.versions.node}-${process.pid}${suffix}.json`;
  const file = join(folder, name);
  const reporters = [
    "--reporter=default",
    "--reporter=./test/support/skipped-reporter.ts",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ];
  const fixed = [tool("vitest", "vitest.mjs"), "run", "--project", project, ...reporters];
  const { status } = spawnSync(process.execPath, [...fixed, ...vitestArgs], {
    cwd: root,
    stdio: "inherit",
  });
  return { status: status ?? 1, file };
}

/**
 * A process that ended before its tests did has said nothing about them. Its files get one more
 * chance, in the open: a test that failed never does.
 */
function afterCrash({ status, file }) {
  const report = readReport(file);
  const crashed = report === undefined ? [] : filesThatCrashed(report);
  if (crashed.length === 0) return status;
  for (const name of crashed) process.stdout.write(`CRASHED, run once more: ${name}\n`);
  writeFileSync(file, JSON.stringify({ ...withoutCrashed(report), crashed }));
  return test(crashed, "-again").status;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
