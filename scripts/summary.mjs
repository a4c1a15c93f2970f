// node scripts/summary.mjs FOLDER [failed stage ...]: adds up what vitest's JSON reports in FOLDER
// say, names what failed, and prints `N passed, N failed, N skipped`. A stage that failed without a
// failing test counts as one failure. Plain JavaScript without dependencies: it must work when
// nothing else did.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, ...failedStages] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("usage: node scripts/summary.mjs FOLDER [failed stage ...]\n");
  process.exit(2);
}
const reports = readdirSync(folder).filter((name) => name.endsWith(".json"));
const counts = reports.map((name) => countsOf(readFileSync(join(folder, name), "utf8")));
// Often only the end of a long output is kept, so the reasons are told here again.
const failuresShownMax = 20;
const passed = total("passed");
const skipped = total("skipped");
// A failing test already makes its stage fail; only what no report explains is added.
const failed = Math.max(total("failed"), failedStages.length);
const failures = reports.flatMap((name, index) =>
  counts[index].failures.map((failure) => `FAILED in ${name}: ${failure}`),
);
for (const line of failures.slice(0, failuresShownMax)) process.stdout.write(`${line}\n`);
if (failures.length > failuresShownMax) {
  process.stdout.write(`and ${failures.length - failuresShownMax} more\n`);
}
for (const { crashed } of counts) {
  for (const name of crashed) process.stdout.write(`its process crashed once: ${name}\n`);
}
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
      failures: report.testResults.flatMap(failuresOf),
      crashed: report.crashed ?? [],
    };
  } catch {
    // Cut off in the middle of writing: the run did not end well.
    return { passed: 0, failed: 1, skipped: 0, failures: ["its report is not whole"], crashed: [] };
  }
}

/** Files that broke outside of their tests: an import or a hook threw, or the process ended. */
function filesFailedWithoutTests(report) {
  return report.testResults.filter(brokeOutsideOfTests).length;
}

// Vitest calls a file passed whose process crashed half-way; its other tests stay `pending`.
function brokeOutsideOfTests({ status, assertionResults }) {
  if (assertionResults.some((test) => test.status === "failed")) return false;
  return status === "failed" || assertionResults.some((test) => test.status === "pending");
}

/** A line for each failed test of a file, and one for the file itself when it broke otherwise. */
function failuresOf(file) {
  const { name, message, assertionResults } = file;
  if (brokeOutsideOfTests(file)) {
    const ended = assertionResults.filter(({ status }) => status !== "pending").length;
    return [`${name}: broke after ${ended} of ${assertionResults.length} tests: ${start(message)}`];
  }
  return assertionResults
    .filter(({ status }) => status === "failed")
    .map(
      ({ fullName, failureMessages }) =>
        `${name}: ${fullName}: ${start(failureMessages?.join(" "))}`,
    );
}

/** The beginning of a message, on one line. */
function start(message) {
  return (message || "no reason given").replaceAll(/\s+/g, " ").trim().slice(0, 400);
}
