// What to do when the process of a test file ends before its tests do. Vitest then calls the run
// failed without naming the file, and leaves the tests that never ran `pending`.

/**
 * The files of a vitest JSON report whose process ended early; none when anything else failed too,
 * because then the run has failed whatever these would say.
 */
export function filesThatCrashed(report) {
  if (report.numFailedTests > 0) return [];
  if (report.testResults.some(({ status }) => status === "failed")) return [];
  return report.testResults.filter(endedEarly).map(({ name }) => name);
}

/** The report without what the files that crashed had shown before: they are run again whole. */
export function withoutCrashed(report) {
  const testResults = report.testResults.filter((file) => !endedEarly(file));
  const statuses = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ status }) => status),
  );
  const count = (wanted) => statuses.filter((status) => status === wanted).length;
  return {
    ...report,
    testResults,
    numPassedTests: count("passed"),
    numFailedTests: count("failed"),
    numPendingTests: count("skipped"),
    numTodoTests: count("todo"),
  };
}

function endedEarly({ assertionResults }) {
  return assertionResults.some(({ status }) => status === "pending");
}
