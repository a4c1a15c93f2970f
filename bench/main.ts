// npm run bench [-- NAME ...] [--quick] [--json FILE]
//
// Runs the benchmarks named (all of them by default), prints a table for each and keeps the results
// in bench/results/. Each number is compared with committed results from the same kind of machine;
// a comparison is information and never fails. What fails is a promise of ours that is not kept:
//   0  every limit is kept     1  a limit is broken
//   2  wrong arguments         3  a benchmark could not be carried out
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { root } from "../scripts/lib/repository.ts";
import { createRealClock } from "../src/platform/time/real-clock.ts";
import { benches } from "./index.ts";
import { describeMachine } from "./lib/machine.ts";
import { committedResults, currentCommit, keepResult, type StoredResult } from "./lib/results.ts";
import { runBench } from "./lib/run.ts";

const { names, quick, jsonFile } = readArguments();
const context = {
  quick,
  clock: createRealClock(),
  machine: describeMachine(),
  commit: currentCommit(root),
  earlier: committedResults(root),
  write: (line: string) => void process.stdout.write(`${line}\n`),
};
const { cpu, cores, memoryGiB, node } = context.machine;
context.write(`${cpu}, ${cores} cores, ${memoryGiB} GiB, Node ${node}${quick ? ", quick" : ""}`);

const results: StoredResult[] = [];
const broken: string[] = [];
const failed: string[] = [];
for (const name of names) {
  const outcome = await runBench(await load(name), context);
  if (outcome.state === "failed") failed.push(name);
  if (outcome.state !== "done") continue;
  results.push(outcome.result);
  broken.push(...outcome.broken.map((metric) => `${name} ${metric}`));
  if (!quick) context.write(`  kept in ${keepResult(root, outcome.result)}`);
}
if (jsonFile !== undefined) writeFileSync(jsonFile, `${JSON.stringify(results, null, 2)}\n`);
if (broken.length > 0) context.write(`\nlimits broken: ${broken.join(", ")}`);
if (failed.length > 0) context.write(`\nnot carried out: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 ? 3 : broken.length > 0 ? 1 : 0;

async function load(name: string) {
  const { bench } = (await benches[name]?.()) ?? refuse(`no benchmark is called ${name}`);
  return bench;
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { quick: { type: "boolean", default: false }, json: { type: "string" } },
    });
    const known = Object.keys(benches);
    const unknown = positionals.filter((name) => !known.includes(name));
    if (unknown.length > 0) {
      refuse(`no benchmark is called ${unknown.join(", ")}; there are ${known.join(", ")}`);
    }
    const names = positionals.length > 0 ? positionals : known;
    return { names, quick: values.quick, jsonFile: values.json };
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(problem: string): never {
  process.stderr.write(`bench: ${problem}\n`);
  process.exit(2);
}
