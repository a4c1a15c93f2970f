import { createRealClock } from "../../../../../src/platform/time/index.ts";
import { openCudaDevice } from "../../../../../src/runtime/cuda/index.ts";
import { coreProofs } from "../core-proof.ts";

/**
 * The proofs of real-gpu.test.ts as a program, for GPU machines without npm: bundled into one file with
 * koffi beside it, it needs nothing but Node. Prints one line for each proof.
 */
const clock = createRealClock();
const device = openCudaDevice("cuda:0", { clock });
const { model, uuid, driverVersion, multiprocessors } = device.properties;
console.log(`${model} ${uuid}, CUDA ${driverVersion}, ${multiprocessors} multiprocessors`);
for (const { title, prove } of coreProofs) {
  const startMs = clock.monotonicMs();
  try {
    const measured = await prove(device, clock);
    const ms = Math.round(clock.monotonicMs() - startMs);
    console.log(`ok    ${title}: ${measured} (${ms} ms)`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`WRONG ${title}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
device.close();
