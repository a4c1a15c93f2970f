// Guide 3.3: does a sum over 72 devices come out the same whatever the order?
import { dist, op } from "tessera-qa";

const mesh = new dist.Mesh({ axes: ["dp"], devices: 72 });

// Every device holds its own copy of 1, and every copy counts.
const x = dist.tensor(Float32Array.of(1), { mesh, layout: dist.replicate() });
const y = op.allReduce(x, { op: "sum", deterministic: true });
console.log("72 times 1:", y.toArray());
if (JSON.stringify(y.toArray()) !== "[72]") throw new Error("The rack-scale all-reduce is wrong.");

// Ones add up exactly in every order, so they prove nothing about it. Gradients that differ from
// device to device do: here on the mesh as it is, and with the devices the other way round.
const random = { kind: "normal", seed: 3 } as const;
const gradient = (on: dist.Mesh) => dist.tensor([1000], { mesh: on, random, distinct: true });
const turned = mesh.remap(mesh.devices.map((_, rank) => 71 - rank));
const sums = [mesh, turned].map((on) => op.allReduce(gradient(on), { op: "sum" }).digest());
const inRingOrder = op.allReduce(gradient(mesh), { op: "sum", order: "ring" }).digest();
console.log("exact:     ", sums[0]);
console.log("reordered: ", sums[1]);
console.log("ring order:", inRingOrder);
if (sums[0] !== sums[1]) throw new Error("The exact sum depends on the order of the devices.");
if (sums[0] === inRingOrder) throw new Error("The order of a ring should show in the last bits.");
