// The benchmarks on GPUs for a machine with nothing installed: `npm run portable` makes one file of
// this beside the CLI. ./bench [NAME ...] [--quick] [--out FOLDER] [--commit COMMIT]
//
// Ends as `npm run bench` does: 0 every limit is kept, 1 one is broken, 2 wrong arguments, 3 a
// benchmark could not be carried out. A result is written to FOLDER as it would be to bench/results/.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { describeMachine } from "../lib/machine.ts";
import { resultFileName } from "../lib/results.ts";
import { runBench } from "../lib/run.ts";
import { cudaBenches } from "./index.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    out: { type: "string" },
    commit: { type: "string" },
  },
});
const known = Object.keys(cudaBenches);
const names = positionals.length > 0 ? positionals : known;
const write = (line: string) => void process.stdout.write(`${line}\n`);
const context = {
  quick: values.quick,
  clock: createRealClock(),
  machine: describeMachine(),
  commit: values.commit,
  earlier: [],
  write,
};
const { out } = values;
if (out !== undefined) mkdirSync(out, { recursive: true });

let isBroken = false;
let isFailed = false;
for (const name of names) {
  const loaded = await cudaBenches[name]?.();
  if (loaded === undefined) {
    process.stderr.write(`bench: no benchmark is called ${name}; there are ${known.join(", ")}\n`);
    process.exit(2);
  }
  const outcome = await runBench(loaded.bench, context);
  isFailed ||= outcome.state !== "done";
  if (outcome.state !== "done") continue;
  isBroken ||= outcome.broken.length > 0;
  if (out === undefined) continue;
  const path = join(out, resultFileName(outcome.result));
  writeFileSync(path, `${JSON.stringify(outcome.result, null, 2)}\n`);
  write(`  kept in ${path}`);
}
process.exitCode = isFailed ? 3 : isBroken ? 1 : 0;
