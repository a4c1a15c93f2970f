// Guide 4.2: a sum over 128 nodes of 8 GPUs, first inside each node, then between nodes.
import { dist, op } from "tessera-qa";

const mesh = new dist.Mesh({ axes: ["node", "gpu"], devices: 1024 });
console.log(mesh.describe());

const x = dist.tensor(Float32Array.of(1), { mesh, layout: dist.replicate() });
const y = op.hierarchicalAllReduce(x, { op: "sum" });
console.log("1024 times 1:", y.toArray());
if (JSON.stringify(y.toArray()) !== "[1024]") {
  throw new Error("The cluster-scale all-reduce is wrong.");
}

// In three phases or in one: the bits are the same, whatever the values.
const random = { kind: "normal", seed: 4 } as const;
const gradient = dist.tensor([100], { mesh, random, distinct: true });
const inPhases = op.hierarchicalAllReduce(gradient, { op: "sum" }).digest();
const flat = op.allReduce(gradient, { op: "sum" }).digest();
console.log("three phases:", inPhases);
console.log("flat:        ", flat);
if (inPhases !== flat) throw new Error("The phases changed the bits of the sum.");
