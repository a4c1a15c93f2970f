// Guide 4.3: a job is saved, dies, and goes on: on the same mesh bit for bit, on another one too.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkpoint, dist, training, verify } from "tessera-qa";

const root = mkdtempSync(join(tmpdir(), "tessera-checkpoints-"));
const mesh = new dist.Mesh({ axes: ["dp", "tp", "pp"], shape: [2, 2, 2], devices: 8 });
const job = (on: dist.Mesh) =>
  training.createTrainingJob({
    model: { kind: "transformer", vocabulary: 16, positions: 12, width: 16, heads: 2, blocks: 2 },
    optimizer: { kind: "adamW", learningRate: 0.01 },
    batch: 8,
    seed: 7,
    mesh: on,
  });

try {
  const first = job(mesh);
  for (let step = 0; step < 3; step++) await first.step();
  const { model, optimizer, ...rest } = first.state();

  // Save, and restart.
  await checkpoint.save("step3", { model, optimizer, ...rest }, { root, mesh });
  const { model: model2 } = await checkpoint.load("step3", { root });

  // The weights match, bit for bit.
  if (!verify.equal(model, model2)) throw new Error("Checkpoint mismatch after restart.");
  console.log("Saved and loaded: the weights have the same bits.");

  // Train 3, save, crash, restore, train 2: the same as 5 without a break? On 8 devices, then on 4.
  for (const [name, after] of [
    ["8 devices again", mesh],
    ["4 devices", new dist.Mesh({ axes: ["dp", "tp"], shape: [2, 2], devices: 4 })],
  ] as const) {
    const report = await training.validateRestart({
      job: (run) => job(run === "resumed" ? after : mesh),
      save: async (state) => void (await checkpoint.save("restart", state, { root, mesh })),
      load: async () => checkpoint.load("restart", { root, remapTo: after }),
      at: 3,
      more: 2,
    });
    console.log(`Restarted on ${name}: ${report.verdict}.`, ...report.notes);
    if (report.verdict === "different") throw new Error("The restarted run went another way.");
  }
} finally {
  rmSync(root, { recursive: true });
}
