import type { HardwareHook, HardwareInjection } from "../../chaos/kubernetes/index.ts";
import type { FaultClient } from "../../hardware/client/index.ts";
import type { XidLine } from "../../hardware/objects/index.ts";
import { sequenceLines } from "../../hardware/xid/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";

/** The part of the fault API's client that experiments use. */
export type FaultApi = Pick<FaultClient, "plan" | "inject" | "renew" | "revert" | "get">;

type Request = Parameters<FaultApi["inject"]>[0];

/** Faults end by themselves so long after the last renewal: when the runner is killed. */
const leaseSeconds = 15;
const renewEveryMs = 5_000;
/** For faults that last as long as their run. */
const durationSecondsDefault = 3600;

/** Hardware faults of experiments by the installation's fault API; `close` ends the renewals. */
export interface FaultApiHook extends HardwareHook {
  close(): Promise<void>;
}

/** The faults of an experiment are one run at the fault API; each can end before the others. */
export function createFaultApiHook(options: {
  readonly api: FaultApi;
  readonly clock: Clock;
  /** Hears that a lease could not be renewed: the fault will end by itself. */
  readonly onProblem: (problem: string) => void;
}): FaultApiHook {
  const { api, clock, onProblem } = options;
  const closing = new AbortController();
  const runOf = new Map<string, string>();
  let renewals: Promise<void> | undefined;

  const renewAll = async () => {
    while (!closing.signal.aborted) {
      await sleep(clock, renewEveryMs, closing.signal).catch(() => undefined);
      if (closing.signal.aborted) return;
      for (const run of new Set(runOf.values())) {
        await api
          .renew(run)
          .catch((error: Error) => onProblem(`${run} could not be renewed: ${error.message}`));
      }
    }
  };

  return {
    plan: async (injection) => {
      const { allowed, findings } = await api.plan(requestFor(injection));
      if (allowed) return;
      const problem = findings
        .flatMap(({ verdict, reason }) => (verdict === "refuse" ? [reason] : []))
        .join("; ");
      const what = "The request to the fault API";
      throw new TesseraError("E_HW_REFUSED", { what, problem });
    },
    inject: async (injection) => {
      const request = requestFor(injection);
      runOf.set(injection.id, injection.run);
      renewals ??= renewAll();
      const fault = await api.inject(request);
      if (fault.state === "failed") {
        throw new TesseraError("E_HW_FAILED", {
          what: `${injection.fault} of node ${injection.node}`,
          problem: fault.message ?? fault.note,
        });
      }
    },
    see: async (id) => sightOf(await api.get(id)),
    revert: async (id) => {
      runOf.delete(id);
      try {
        await api.revert(id);
      } catch (error) {
        // Planned in the ledger and never asked for.
        if (!(error instanceof TesseraError && error.code === "E_HW_FAULT_UNKNOWN")) throw error;
      }
    },
    close: async () => {
      closing.abort();
      await renewals;
    },
  };
}

/** That the line is in the log was our own doing; what somebody did about it was not. */
function sightOf({ kind, node, state, sightings }: Awaited<ReturnType<FaultApi["get"]>>) {
  if (kind === "cuda" && (state === "injected" || state === "observed")) {
    return { effect: `the control block of node ${node} is armed` };
  }
  const seen = sightings.filter(({ what }) => what !== "line");
  if (seen.length === 0) {
    return { why: `no detector has marked node ${node}; the fault is ${state}` };
  }
  return { effect: [...new Set(seen.map(({ by, what }) => `${what} by ${by}`))].join(", ") };
}

function requestFor({
  id,
  run,
  fault,
  node,
  namespace,
  params,
  durationMs,
}: HardwareInjection): Request {
  const durationSeconds =
    durationMs === null ? durationSecondsDefault : Math.ceil(durationMs / 1000) + leaseSeconds;
  const common = { name: id, run, namespace, durationSeconds, leaseSeconds, wait: true };
  const xid = Number(params["xid"]);
  if (fault === "gpu_xid") {
    const sequence = String(params["sequence"]);
    const lines: XidLine[] = sequence === "" ? [{ xid }] : [...sequenceLines(sequence)];
    const gpu = { index: Number(params["gpu"]) };
    const allowRealReboot = params["allowRealReboot"] === true;
    return { ...common, allowRealReboot, action: { kind: "xid", node, gpu, lines } };
  }
  const [kind, name] = workloadOf(String(params["workload"]));
  const afterCalls = Number(params["afterCalls"]);
  const probability = Number(params["probability"]);
  const workload = { namespace, kind, name };
  return {
    ...common,
    action: { kind: "cuda", node, workload, fault: { xid, afterCalls, probability } },
  };
}

const kinds = ["deployment", "statefulset", "job", "leaderworkerset"] as const;

/** `deployment/vllm` in its parts. */
function workloadOf(text: string): readonly [(typeof kinds)[number], string] {
  const [word = "", name = ""] = text.split("/");
  const kind = kinds.find((one) => one === word.toLowerCase());
  if (kind !== undefined && name !== "") return [kind, name];
  throw new TesseraError("E_HW_WORKLOAD", {
    workload: text === "" ? "(none)" : text,
    problem: `cuda_error needs its workload as KIND/NAME, where KIND is ${kinds.join(", ")}`,
  });
}
