// `npm start`: makes the clone ready, then runs `tessera up` in this very process, so that signals
// reach it directly.
import { ensureReady } from "./lib/ensure.mjs";

ensureReady();
process.argv = [process.argv[0], "tessera", "up", ...process.argv.slice(2)];
await import("../dist/cli/main.js");
