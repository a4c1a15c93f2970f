// `npm run test:kills [-- count]`: kills the validation loop with -9 at so many random moments, 200
// when not given, in two lanes side by side with seeds of their own; then the runner of experiments on
// this machine, a tenth as often in each of its ways. TESSERA_KILL_SEED makes other moments.
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
const loop = (kills, at) => lane("test/validation/loop/kill.test.ts", kills, `${seed} ${at}`);
const codes = await Promise.all([count - half, half].map(loop));
// Its two networks side by side, and nothing else: workers, all of one machine, are busy enough.
codes.push(await lane("test/chaos/host/cleanup/kill-", Math.ceil(count / 10), `${seed} runner`));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

function lane(file, kills, laneSeed) {
  const args = ["scripts/test.mjs", "unit", file];
  const env = { ...process.env, TESSERA_KILLS: String(kills), TESSERA_KILL_SEED: laneSeed };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
}
