// node scripts/summary.mjs FOLDER [failed stage ...]: adds up what vitest's JSON reports in FOLDER
// say and prints `N passed, N failed, N skipped`. A stage that failed without a failing test counts
// as one failure. Plain JavaScript without dependencies: it must work when nothing else did.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, ...failedStages] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("usage: node scripts/summary.mjs FOLDER [failed stage ...]\n");
  process.exit(2);
}
const reports = readdirSync(folder).filter((name) => name.endsWith(".json"));
const counts = reports.map((name) => countsOf(readFileSync(join(folder, name), "utf8")));
const passed = total("passed");
const skipped = total("skipped");
// A failing test already makes its stage fail; only what no report explains is added.
const failed = Math.max(total("failed"), failedStages.length);
if (failedStages.length > 0) process.stdout.write(`failed: ${failedStages.join(", ")}\n`);
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
// A run that ran nothing has shown nothing.
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

function total(key) {
  return counts.reduce((sum, count) => sum + count[key], 0);
}

function countsOf(text) {
  try {
    const report = JSON.parse(text);
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + filesFailedWithoutTests(report),
      skipped: report.numPendingTests + report.numTodoTests,
    };
  } catch {
    // Cut off in the middle of writing: the run did not end well.
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** Files that failed before their tests could: an import or a hook that threw. */
function filesFailedWithoutTests(report) {
  return report.testResults.filter(
    (file) =>
      file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
}
