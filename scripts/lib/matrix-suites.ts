/**
 * What does not depend on Node: the rules about the sources, the package, the scripts, the benchmarks' own tests,
 * what happens to data when a process is killed, the errors' texts, the statistics over many fleets and runs, and
 * what a GPU computes.
 */
const independent = [
  /^(bench|errors|package|scripts|tidy)\//,
  /kills?\.test/,
  /^validation\/(checks\/dl-unit|classify\/fleets|fleet-log|nccl|prioritize|replay)/,
  /^runtime\/(stress|cuda\/(blas|kernels|ops|tensor))/,
  /^chaos\/(failure-model|judge|minimise|report|timeouts|waits)\//,
  /^chaos\/(campaign\/simulated|sim\/fleet\/(back-test|rank-level|theory))/,
];

/** What computes. Processes, files and sockets of the chaos room are no part of it. */
const computing =
  /^(runtime|validation|chaos\/(campaign|elastic|event|experiment|fault|numerics|sim))\//;

/** One seed, one trace hash: nothing shows a difference between versions of Node as early. */
const everywhere = /^chaos\/sim\/(determinism|goldens|job\/one-seed)\.test/;

/**
 * The test files to run under a version. What computes runs under the newest alone, the other end of the lines
 * that the one that runs begins: the others lie between.
 */
export function matrixSuites(
  files: readonly string[],
  version: "other end" | "between",
): readonly string[] {
  return files
    .filter((name) => name.endsWith(".test.ts") && !independent.some((rule) => rule.test(name)))
    .filter((name) => version === "other end" || !computing.test(name) || everywhere.test(name));
}
