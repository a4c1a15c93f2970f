// A small job in plain Node: counts, saves every 5 steps, goes on from the newest save.
// Called without an argument it supervises itself: it starts a worker, again when that dies.
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const steps = 30;
const batch = 16;
const saved = join(process.env.TESSERA_CHAOS_FOLDER ?? ".", "state.json");
const tell = (progress) => console.log(JSON.stringify({ tessera: progress }));

function load() {
  if (!existsSync(saved)) return { step: 0, sum: "" };
  return JSON.parse(readFileSync(saved, "utf8"));
}

async function work() {
  let { step, sum } = load();
  tell({ restore: { tag: step === 0 ? null : `step-${step}`, step } });
  while (step < steps) {
    await sleep(20);
    step++;
    sum = createHash("sha256").update(`${sum} ${step}`).digest("hex");
    tell({ step, units: batch, digest: sum });
    if (step % 5 !== 0) continue;
    writeFileSync(`${saved}.new`, JSON.stringify({ step, sum }));
    renameSync(`${saved}.new`, saved);
    tell({ checkpoint: { tag: `step-${step}`, step } });
  }
}

function supervise(restartsLeft) {
  const worker = fork(fileURLToPath(import.meta.url), ["worker"]);
  worker.on("exit", (code) => {
    if (code === 0) return;
    if (restartsLeft === 0) process.exitCode = 1;
    else supervise(restartsLeft - 1);
  });
}

if (process.argv[2] === "worker") await work();
else supervise(3);
