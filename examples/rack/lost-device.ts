// Guide 3.5: what happens when a GPU drops out, and what is left?
import { dist, fault, formatError, isTesseraError, op } from "tessera-qa";

const mesh = new dist.Mesh({ axes: ["dp"], devices: 72 });
const X = dist.tensor([16], { mesh, fill: 1 });

function reduceWithoutDevice5(): unknown {
  using _ = fault.inject({ dropDevice: 5 });
  try {
    return op.allReduce(X, { op: "sum" });
  } catch (error) {
    if (!isTesseraError(error)) throw error;
    console.log("Caught the injected failure:", formatError(error));
    return error.code;
  }
}

if (reduceWithoutDevice5() !== "E_DEVICE_LOST") throw new Error("The lost device went unnoticed.");

// The fault ended with its scope.
const whole = op.allReduce(X, { op: "sum" }).toTensor().at(0);
console.log(`With all devices again: ${whole}`);

// And the others could have gone on without it.
const survivors = mesh.without([5]);
const left = fault.inject({ dropDevice: 5 }, () => {
  const x = dist.tensor([16], { mesh: survivors, fill: 1 });
  return op.allReduce(x, { op: "sum" }).toTensor().at(0);
});
console.log(`Without device 5: ${left}`);
if (whole !== 72 || left !== 71) throw new Error("The sums are wrong.");
