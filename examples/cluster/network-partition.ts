// Guide 4.4: nodes 0 to 63 cannot reach the other half of the cluster.
import { dist, fault, formatError, isTesseraError, op } from "tessera-qa";

const mesh = new dist.Mesh({ axes: ["node", "gpu"], devices: 1024 });
const X = dist.tensor([1024, 4], {
  mesh,
  layout: dist.shardSpec({ partition: ["row"], meshAxes: [["node", "gpu"]] }),
  random: { kind: "uniform", seed: 5 },
});

function gatherAcrossTheCut(): unknown {
  using _ = fault.inject({ networkPartition: [[0, 64]] });

  // Inside a node nothing is cut.
  op.allGather(X, { over: "gpu" });
  console.log("Gathering inside each node works.");

  try {
    return op.allGather(X);
  } catch (error) {
    if (!isTesseraError(error)) throw error;
    console.log("Caught the injected partition:", formatError(error));
    return error.code;
  }
}

if (gatherAcrossTheCut() !== "E_PARTITION") throw new Error("The partition went unnoticed.");

const gathered = op.allGather(X);
console.log("Healed, and complete:", gathered.digest() === X.digest());
if (gathered.digest() !== X.digest()) throw new Error("What was gathered is not what was there.");
