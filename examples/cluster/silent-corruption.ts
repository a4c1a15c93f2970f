// Guide 4.5: a device that computes wrong values without saying so.
import { dist, fault, op, verify } from "tessera-qa";

const mesh = new dist.Mesh({ axes: ["tp"], devices: 8 });
const random = { kind: "normal", seed: 11 } as const;
const columns = dist.shardSpec({ partition: ["col"], meshAxes: ["tp"] });
const A = dist.tensor([64, 128], { mesh, random });
const B = dist.tensor([128, 64], { mesh, layout: columns, random: { kind: "normal", seed: 12 } });

// Healthy: the second product is made on other devices, in the same order, and has the same bits.
const Y1 = op.matmul(A, B);
const Y2 = op.matmul(A, B, { redundant: true });
if (!verify.equal(Y1, Y2)) throw new Error("Potential silent data corruption detected.");
console.log("Healthy devices agree, bit for bit.");

// Device 5 flips a bit in what it computes.
{
  using _ = fault.inject({ bitFlip: { device: 5, op: "matmul" } });
  const Z1 = op.matmul(A, B);
  const Z2 = op.matmul(A, B, { redundant: true });
  if (verify.equal(Z1, Z2)) throw new Error("The corruption went unnoticed.");
  console.log(verify.report(Z1, Z2).text);

  const { verdict, outvoted, text } = verify.vote(A, B, { devices: 3 });
  console.log(text);
  if (verdict === "agreed" || outvoted.length === 0) throw new Error("The vote named nobody.");
}
