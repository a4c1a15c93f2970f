import { readdirSync, readFileSync } from "node:fs";

/** Sends a signal to the control plane in a pod, from outside and without warning. */
export function signalPod(podName: string, signal: NodeJS.Signals): void {
  const pids = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && isServerOf(name, podName),
  );
  if (pids.length === 0) throw new Error(`${podName} has no process`);
  for (const pid of pids) process.kill(Number(pid), signal);
}

function isServerOf(pid: string, podName: string): boolean {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return command.includes("up") && variables.includes(`HOSTNAME=${podName}`);
  } catch {
    return false;
  }
}
