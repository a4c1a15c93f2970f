import type { GpuView } from "../../checks/index.ts";
import type { JobView, NotFreeReason } from "../cluster.ts";

/** What decides whether this machine may be tested now. */
export interface LocalState {
  readonly gpus: GpuView;
  readonly load: number;
  readonly loadMax: number;
  /** Jobs of ours that have not ended. */
  readonly active: readonly JobView[];
  /** Whether this was seen before our last job ended. */
  readonly outdated: boolean;
}

const namesShownMax = 3;

/** Every reason why this machine cannot be tested now; none when it is free. */
export function notFreeReasons({
  gpus,
  load,
  loadMax,
  active,
  outdated,
}: LocalState): NotFreeReason[] {
  const reasons: NotFreeReason[] = active.map(({ name }) => ({
    code: "under-test",
    text: `job ${name} of ours runs here`,
  }));
  if (gpus.problem !== undefined) {
    reasons.push({ code: "not-ready", text: `its GPUs cannot be asked: ${gpus.problem}` });
  }
  if (outdated && gpus.processes.length > 0) {
    const text = "a job of ours has just ended, and who else is on its GPUs is being asked";
    reasons.push({ code: "under-test", text });
  }
  // While a job of ours runs, what computes on the GPUs is most likely ours, and the node is taken.
  if (gpus.processes.length > 0 && active.length === 0 && !outdated) {
    const named = gpus.processes
      .slice(0, namesShownMax)
      .map(({ pid, name }) => (name === "" ? `process ${pid}` : `process ${pid} (${name})`));
    const more = gpus.processes.length - named.length;
    const others = more > 0 ? ` and ${more} more` : "";
    reasons.push({
      code: "busy",
      text: `${named.join(", ")}${others} ${gpus.processes.length === 1 ? "computes" : "compute"} on its GPUs`,
    });
  }
  if (load > loadMax && active.length === 0) {
    const text = `its load is ${load.toFixed(1)}, and above ${loadMax} nothing is begun`;
    reasons.push({ code: "cpu", text });
  }
  return reasons;
}
