// Guide 3.2: is a weight matrix laid out over the whole rack as it should be?
import { dist } from "tessera-qa";

// 72 GPUs as tensor x pipeline x data parallel: 6 x 6 x 2.
const mesh = new dist.Mesh({ axes: ["tp", "pp", "dp"], devices: 72 });
console.log(mesh.describe());

// Rows over tp, columns over pp, a copy for each dp. 6 does not divide 1000: the last parts are smaller.
const W = dist.tensor([1000, 1000], {
  mesh,
  layout: dist.shardSpec({ partition: ["row", "col"], meshAxes: ["tp", "pp"] }),
});
console.log(`rank 0 holds ${W.local(0).shape.join(" x ")}`);
console.log(`rank 71 holds ${W.local(71).shape.join(" x ")}`);

if (!W.shardingValid()) {
  throw new Error(`Sharding mismatch at rack scale: ${JSON.stringify(W.shardingReport().errors)}`);
}
console.log("The sharding is valid.");
