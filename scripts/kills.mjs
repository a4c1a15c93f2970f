// `npm run test:kills [-- count]`: kills the validation loop with -9 at so many random moments, 200
// when not given, in two lanes side by side with seeds of their own. TESSERA_KILL_SEED makes other
// moments.
import { spawn } from "node:child_process";
import { ensureReady, root } from "./lib/ensure.mjs";

const count = Number(process.argv[2] ?? 200);
if (!Number.isInteger(count) || count < 2) {
  console.error(`kills: ${process.argv[2]} is not a whole number of at least 2`);
  process.exit(2);
}
ensureReady();
const seed = process.env.TESSERA_KILL_SEED ?? "kill the loop";
const half = Math.floor(count / 2);
const codes = await Promise.all([count - half, half].map(lane));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

function lane(kills, at) {
  const args = ["scripts/test.mjs", "unit", "test/validation/loop/kill.test.ts"];
  const env = { ...process.env, TESSERA_KILLS: String(kills), TESSERA_KILL_SEED: `${seed} ${at}` };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
}
