// `npm run test:matrix [-- --nightly] [versions]`: the unit suites and the built CLI under the lowest Node we
// support and under every other line than the one that runs. `lib/matrix-suites.ts` says which.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { type Counts, leaveCounts } from "./lib/counts.ts";
import { type MatrixPlace, matrixSuites } from "./lib/matrix-suites.ts";
import { fetchNode, lineOf, versionsBeside } from "./lib/node-versions.ts";
import { root } from "./lib/repository.ts";

const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
const smoke = [
  ["dist/cli/main.js", "--version"],
  ["dist/cli/main.js", "--help"],
  ["dist/cli/main.js", "config", "print", "--json"],
  ["dist/bundle/tessera.mjs", "config", "print", "--json"],
];

const isNightly = process.argv.includes("--nightly");
const given = process.argv.slice(2).filter((word) => word !== "--nightly");
const versions = given.length > 0 ? given : versionsBeside(process.versions.node);
const newest = versions.toSorted((a, b) => lineOf(b) - lineOf(a))[0];
const outcomes = versions.map(testUnder);
console.log("\nNode matrix");
for (const { line } of outcomes) console.log(`  ${line}`);
process.exitCode = outcomes.some(({ failed }) => failed) ? 1 : 0;

function suitesUnder(version: string): readonly string[] {
  const chosen = matrixSuites(files, placeOf(version), isNightly ? "nightly" : "each change");
  return ["scripts/test.mjs", "unit", ...chosen.map((name) => `test/${name}`)];
}

function placeOf(version: string): MatrixPlace {
  if (lineOf(version) === lineOf(process.versions.node)) return "same line";
  return version === newest ? "other end" : "between";
}

function testUnder(version: string): { readonly failed: boolean; readonly line: string } {
  const node = fetchNode(version);
  if ("missing" in node) {
    leaveCounts(`matrix-${version}`, { passed: 0, failed: 0, skipped: 1 });
    return { failed: false, line: `${version} skipped: ${node.missing}` };
  }
  console.log(`\n=== Node ${version}`);
  const startedMs = performance.now();
  const suites = suitesUnder(version);
  const smokeFailed = smoke.filter((args) => !passes(node.path, args, "ignore"));
  const counts: Counts = {
    passed: smoke.length - smokeFailed.length,
    failed: smokeFailed.length,
    skipped: 0,
  };
  leaveCounts(`matrix-${version}`, counts);
  const failed = passes(node.path, suites, "inherit") ? smokeFailed : [...smokeFailed, suites];
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const named = failed.map((args) => args.slice(0, 2).join(" ")).join("; ");
  const told = failed.length === 0 ? "passed" : `FAILED: ${named}`;
  return { failed: failed.length > 0, line: `${version} ${told} (${seconds} s)` };
}

function passes(node: string, args: readonly string[], stdout: "ignore" | "inherit"): boolean {
  // Programs that the tests start by name find the same Node.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}` };
  const result = spawnSync(node, args, { cwd: root, env, stdio: ["ignore", stdout, "inherit"] });
  return result.status === 0;
}
