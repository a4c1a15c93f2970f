// A test as its user writes it, which says how far it is. Killed with -9 it has no chance to take
// anything back. Usage: runner.mjs PACKAGE NAMESPACE DEPLOYMENT PORT ARM_FILE END_FILE
// It arms nothing and ends nothing before those files are there.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [name, namespace, workload, port, armFile, endFile] = process.argv.slice(2);
const { ManagedDeployment } = await import(name);
const { TESSERA_FAULT_API_URL: url, TESSERA_FAULT_API_TOKEN: token } = process.env;
const interrupted = new AbortController();
const { signal } = interrupted;
process.once("SIGINT", () => interrupted.abort(new Error("interrupted")));
const untilThere = async (file) => {
  while (!existsSync(file)) await sleep(20, undefined, { signal });
};

const d = await ManagedDeployment.start({
  namespace,
  workload,
  enableHwFaults: true,
  api: { url, token },
  request: { podPort: Number(port), path: "/infer" },
  leaseSeconds: 5,
  readyTimeoutMs: 120_000,
  onProgress: console.log,
  signal,
});
try {
  const node = await d.getHwFaultTargetNode();
  console.log(`run ${d.run} on ${node}.`);
  await d.setupCudaPassthrough({ xid: 79 });
  console.log("stage prepared");
  await untilThere(armFile);
  await d.toggleCudaFaults(true);
  console.log("stage armed");
  await d.injectHwFault("xid", { xid: 79 });
  while (!(await d.isNodeCordoned(node))) await sleep(200, undefined, { signal });
  console.log("stage cordoned");
  await d.cleanupCudaSpecWithoutRestart();
  await d.waitForPodsOnHealthyNodes({ excludeNode: node });
  await untilThere(endFile);
  console.log("stage ending");
} finally {
  await d[Symbol.asyncDispose]();
}
console.log("stage ended");
