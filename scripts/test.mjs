// `npm test [-- vitest arguments]` runs the fast suites; `npm run test:cluster` and
// `npm run test:browser` name another project of vitest.config.ts.
import { ensureReady, run, tool } from "./lib/ensure.mjs";

const projects = ["unit", "cluster", "browser"];

ensureReady();
const [first, ...rest] = process.argv.slice(2);
const named = projects.includes(first);
const project = named ? first : "unit";
const args = named ? rest : process.argv.slice(2);
run(process.execPath, [tool("vitest", "vitest.mjs"), "run", "--project", project, ...args]);
