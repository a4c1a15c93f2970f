/**
 * What does not depend on Node: the rules about the sources, the package, the scripts, the benchmarks' own tests,
 * what runs in browsers, clusters and pipelines, the tutorials,
 * what happens to data when a process is killed, the errors' texts, the statistics over many fleets and runs, and
 * what a GPU computes.
 */
const independent = [
  /^(bench|charts|docs|errors|integrations|monitoring|package|scripts|tidy|web)\//,
  /kills?\.test/,
  /^validation\/(checks\/dl-unit|classify\/fleets|fleet-log|nccl|prioritize|replay)/,
  /^runtime\/(stress|cuda\/(blas|kernels|ops|tensor))/,
  /^chaos\/(failure-model|judge|minimise|report|timeouts|waits)\//,
  /^chaos\/(campaign\/simulated|sim\/fleet\/(back-test|rank-level|theory))/,
  /^runtime\/(planning|scaling|verify\/bench|checkpoint\/fuzz)/,
  /^(examples\/chaos-host|cli\/(chaos\/(campaign|minimize|pipeline)|plan-checkpoint|scale|sdc))/,
];

/** What computes, and what is put together of other parts. Processes, files and sockets of the chaos room are no part of it. */
const computing =
  /^(control|runtime|validation|chaos\/(campaign|elastic|event|experiment|fault|numerics|sim))\//;

/** Where a line's first version may lack what its newest has: calls of Node's own. */
const platform = /^(platform|cli\/(commands|config|process|version))/;

/** Processes, files and sockets, by way of those who use them most. */
const touching =
  /^(platform|chaos\/(host\/host-world|ledger)|cli\/(commands|config|doctor|process|up|validate|version))/;

/** One seed, one trace hash: nothing shows a difference between versions of Node as early. */
const everywhere = /^chaos\/sim\/(determinism|goldens|job\/one-seed)\.test/;

/**
 * Where a version lies: the newest is the other end of the lines that the one that runs begins, and the lowest
 * one that is supported may be of the same line.
 */
export type MatrixPlace = "other end" | "between" | "same line";

/** `nightly` has all that may depend on the version; each change has what is most likely to. */
export type MatrixExtent = "each change" | "nightly";

/** The test files to run under a version. At night what computes runs under the newest alone: the others lie between. */
export function matrixSuites(
  files: readonly string[],
  place: MatrixPlace,
  extent: MatrixExtent = "each change",
): readonly string[] {
  return files
    .filter((name) => name.endsWith(".test.ts") && !independent.some((rule) => rule.test(name)))
    .filter((name) => isWanted(name, place, extent) || everywhere.test(name));
}

function isWanted(name: string, place: MatrixPlace, extent: MatrixExtent): boolean {
  if (place === "same line") return platform.test(name);
  if (extent === "each change") return touching.test(name);
  return place === "other end" || !computing.test(name);
}
