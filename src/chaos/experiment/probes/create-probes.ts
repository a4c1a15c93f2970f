import { messageOf } from "../../../platform/errors/index.ts";
import type { KubeClient } from "../../../platform/kube/index.ts";
import { runProcess } from "../../../platform/process/index.ts";
import { type Clock, withDeadline } from "../../../platform/time/index.ts";
import { askHttp, askPrometheus } from "./ask-http.ts";
import { askKubernetes } from "./ask-kubernetes.ts";
import type { ProbeFinding } from "./compare.ts";
import type { OutsideProbe } from "./outside-probe.ts";

/** Asks questions about the world around a job. */
export interface Probes {
  /** Never throws but for the signal: whatever goes wrong is no answer. Bounded in time. */
  ask(probe: OutsideProbe, signal: AbortSignal): Promise<ProbeFinding>;
}

export interface ProbesOptions {
  readonly clock: Clock;
  /** Connects when it is first needed. */
  readonly kube?: () => Promise<KubeClient>;
}

const timeoutMsDefault = 5000;
const outputBytesMax = 64 * 1024;

export function createProbes({ clock, kube }: ProbesOptions): Probes {
  let client: Promise<KubeClient> | undefined;
  const connect = async () => {
    if (kube === undefined) throw new Error("there is no connection to a cluster");
    client ??= kube();
    try {
      return await client;
    } catch (error) {
      client = undefined;
      throw error;
    }
  };
  const ask = async (probe: OutsideProbe, signal: AbortSignal): Promise<ProbeFinding> => {
    switch (probe.kind) {
      case "http":
        return askHttp(probe, signal);
      case "promql":
        return askPrometheus(probe, signal);
      case "kubernetes":
        return askKubernetes(probe, await connect(), signal);
      case "command":
        return askCommand(probe, { clock, signal });
    }
  };
  return {
    ask: async (probe, signal) => {
      const timeoutMs = "timeoutUs" in probe ? probe.timeoutUs / 1000 : timeoutMsDefault;
      const what = `The probe ${probe.kind}`;
      try {
        return await withDeadline({ clock, timeoutMs, what, signal }, (inner) => ask(probe, inner));
      } catch (error) {
        signal.throwIfAborted();
        return { holds: null, reason: `no answer: ${causeOf(error)}` };
      }
    },
  };
}

async function askCommand(
  probe: Extract<OutsideProbe, { kind: "command" }>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ProbeFinding> {
  const [program, ...args] = probe.command;
  const timeoutMs = probe.timeoutUs / 1000;
  const options = { clock, signal, timeoutMs, outputBytesMax };
  const { exitCode, signal: killedBy, timedOut } = await runProcess(program, args, options);
  if (timedOut) return { holds: null, reason: `no answer: ${program} did not end in time` };
  if (exitCode === null)
    return { holds: null, reason: `${program} was ended by ${killedBy ?? "a signal"}` };
  const reason = `${program} ended with ${exitCode}, ${probe.exitCode} is wanted`;
  return { holds: exitCode === probe.exitCode, reason };
}

/** `fetch failed` says nothing; what is underneath does. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return messageOf(cause ?? error);
}
