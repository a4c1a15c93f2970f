// Guide 7.3: a matmul while a device is killed. Catching the error is not recovery, and the event says so.
import { chaos, dist, formatError, isTesseraError, op } from "tessera-qa";

const mesh = new dist.Mesh({ axes: ["dp"], devices: 8 });
const A = dist.tensor([64, 64], { mesh, random: { kind: "normal", seed: 1 } });
const B = dist.tensor([64, 64], { mesh, random: { kind: "normal", seed: 2 } });

// Run matmul under an injected fault.
const report = chaos.inject({ fault: "kill_device", target: 0 }, (event) => {
  try {
    op.matmul(A, B);
  } catch (error) {
    if (!isTesseraError(error)) throw error;
    console.log("Caught the chaos event:", formatError(error));
  }
  return event.report();
});
console.log(report.text);
if (report.met === 0) throw new Error("The fault was not exercised: nothing was tested.");
if (report.outcome !== "not recovered") throw new Error("Catching an error passed for recovery.");

// The scope is over, and the device is back.
console.log("Afterwards:", op.matmul(A, B).shape.join(" x "));

// The other events of 7.3. Latency changes modelled times alone, so values are as before.
const sound = op.allReduce(A).digest();
chaos.inject({ fault: "network_latency", params: { latency: "50ms" } }, (event) => {
  if (op.allReduce(A).digest() !== sound) throw new Error("Latency changed values.");
  console.log(`${event.fault}: ${event.effects[0]?.what}`);
});

// A contained memory error (XID 94) fails one operation, and the device lives on.
chaos.inject({ fault: "ecc_error", target: 3, params: { xid: 94 } }, (event) => {
  if (codeOf(() => op.allReduce(A)) !== "E_CUDA") throw new Error("The error went unnoticed.");
  if (op.allReduce(A).digest() !== sound) throw new Error("The device did not live on.");
  console.log(`${event.fault}: ${event.effects[0]?.text}`);
});

// Every fifth collective is dropped, by chance; the same seed drops the same ones.
const params = { share: 0.2, count: 100 };
chaos.inject({ fault: "drop_collective", params, seed: 7 }, (event) => {
  const dropped = Array.from({ length: 50 }, (_, at) => at).filter(
    () => codeOf(() => op.allReduce(A)) === "E_TIMEOUT",
  );
  console.log(`${event.fault}: ${dropped.length} of 50, the first is number ${dropped[0]}`);
  if (dropped.length === 0) throw new Error("No collective was dropped.");
});

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!isTesseraError(error)) throw error;
    return error.code;
  }
}
