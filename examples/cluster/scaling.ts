// Guide 4.6: strong scaling keeps the batch, weak scaling lets it grow; always look at both.
import { scaling } from "tessera-qa";

const devices = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const topology = "hgx-h100";

for (const kind of ["strong", "weak"] as const) {
  const { curve, bottleneck } = scaling.modelScaling({ kind, devices, topology });
  const last = curve.points.at(-1);
  if (last === undefined) throw new Error("Nothing could be modelled.");
  const percent = (last.efficiency * 100).toFixed(0);
  console.log(`${kind}: ${percent} % efficiency on ${last.devices} devices (modelled)`);
  console.log(`  ${bottleneck.label}: ${bottleneck.help}`);
}

// The same questions for times that you measured.
const runs = [
  [1, 100],
  [2, 51],
  [4, 27],
  [8, 15],
  [16, 9.4],
].map(([count = 1, seconds = 1]) => ({ devices: count, timeS: seconds }));
const own = scaling.measuredScaling(runs, { kind: "strong", table: "my runs" });
console.log(`my runs: ${own.reading}`);
