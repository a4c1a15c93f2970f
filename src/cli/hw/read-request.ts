import type { FaultRequestInput } from "../../hardware/api/index.ts";
import type { WorkloadRef, XidLine } from "../../hardware/objects/index.ts";
import { textOption } from "../actor.ts";
import type { Invocation } from "../invocation.ts";
import { openKube } from "../open-kube.ts";
import { usageError } from "../usage-error.ts";
import { integerFlag, requiredText, secondsFlag, workloadFlag } from "./flags.ts";

const xidDefault = 79;
const durationSecondsDefault = 600;
const leaseSecondsDefault = 15;

type Action = FaultRequestInput["action"];
type Options = Invocation["options"];

/** What a command line can ask for. */
export type RequestedKind = "xid" | "cuda" | "passthrough";

/** Flags that say nothing about a kind, as they are written. */
const foreignFlags: Readonly<Record<RequestedKind, readonly string[]>> = {
  xid: ["after-calls", "after", "probability"],
  cuda: ["gpu", "sequence"],
  passthrough: [
    "xid",
    "gpu",
    "sequence",
    "allow-real-reboot",
    "after-calls",
    "after",
    "probability",
  ],
};

/** The fault that a command line asks for. @throws E_USAGE, E_HW_WORKLOAD, E_XID_UNKNOWN */
export async function readRequest(
  invocation: Invocation,
  command: string,
  kind: RequestedKind,
): Promise<FaultRequestInput> {
  const { options } = invocation;
  const namespace = requiredText(command, options, "namespace");
  for (const flag of foreignFlags[kind]) {
    if (options[camelCase(flag)] === undefined) continue;
    throw usageError(command, `\`--${flag}\` says nothing about a fault of kind ${kind}`);
  }
  const action = await readAction(invocation, command, { kind, namespace });
  const durationSeconds = secondsFlag(command, options, "duration") ?? durationSecondsDefault;
  const lease = secondsFlag(command, options, "lease") ?? leaseSecondsDefault;
  const name = textOption(options, "name");
  return {
    run: textOption(options, "run") ?? name ?? `cli-${invocation.clock.nowMs().toString(36)}`,
    namespace,
    action,
    durationSeconds,
    // Without somebody who renews it, its lease is all it has.
    leaseSeconds: options["hold"] === true ? Math.min(lease, durationSeconds) : durationSeconds,
    ...(name === undefined ? {} : { name }),
    ...(options["allowRealReboot"] === true ? { allowRealReboot: true } : {}),
  };
}

async function readAction(
  invocation: Invocation,
  command: string,
  { kind, namespace }: { readonly kind: RequestedKind; readonly namespace: string },
): Promise<Action> {
  const { options } = invocation;
  const workload = workloadFlag(command, options, namespace);
  if (kind !== "xid" && workload === undefined) {
    const what = kind === "cuda" ? "a CUDA fault" : "a passthrough";
    throw usageError(command, `${what} needs a workload, such as \`--deployment server\``);
  }
  const named = textOption(options, "node");
  if (kind === "passthrough" && workload !== undefined) {
    return { kind, workload, ...(named === undefined ? {} : { preferNode: named }) };
  }
  const xid = integerFlag(command, options, { name: "xid", shown: "--xid", min: 1, max: 999 });
  const node = named ?? (await busiestNode(invocation, command, workload));
  if (kind === "cuda" && workload !== undefined) {
    return { kind, node, workload, fault: cudaFault(command, options, xid ?? xidDefault) };
  }
  const lines = await linesOf(command, options, xid);
  return { kind: "xid", node, gpu: gpuOf(command, options), lines };
}

function camelCase(flag: string): string {
  return flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

async function linesOf(
  command: string,
  options: Options,
  xid: number | undefined,
): Promise<readonly XidLine[]> {
  const sequence = textOption(options, "sequence");
  if (sequence === undefined) return [{ xid: xid ?? xidDefault }];
  if (xid !== undefined) throw usageError(command, "`--xid` and `--sequence` exclude each other");
  const { sequenceLines } = await import("../../hardware/xid/index.ts");
  return sequenceLines(sequence);
}

function gpuOf(command: string, options: Options) {
  const text = textOption(options, "gpu") ?? "0";
  if (/^\d{1,2}$/.test(text)) return { index: Number(text) };
  if (/^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}$/i.test(text)) return { pci: text.toLowerCase() };
  throw usageError(command, `\`--gpu ${text}\` is neither a number nor an address as 0000:3b:00`);
}

function cudaFault(command: string, options: Options, xid: number) {
  const calls = { name: "afterCalls", shown: "--after-calls", min: 0, max: 2_000_000_000 };
  const afterCalls = integerFlag(command, options, calls);
  const afterSeconds = secondsFlag(command, options, "after", 0);
  const text = textOption(options, "probability");
  const probability = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  if (text !== undefined && !(probability > 0 && probability <= 1)) {
    throw usageError(command, `\`--probability ${text}\` is not above 0 and up to 1`);
  }
  return {
    xid,
    ...(afterCalls === undefined ? {} : { afterCalls }),
    ...(afterSeconds === undefined ? {} : { afterMs: afterSeconds * 1000 }),
    ...(text === undefined ? {} : { probability }),
  };
}

/** The node with most serving pods of the workload. */
async function busiestNode(
  invocation: Invocation,
  command: string,
  workload: WorkloadRef | undefined,
): Promise<string> {
  if (workload === undefined) {
    throw usageError(command, "`--node` is missing, and no workload says which is meant");
  }
  const { chooseTargetNode, podsOf } = await import("../../hardware/workload/index.ts");
  const { listAll, resourceTypes } = await import("../../platform/kube/index.ts");
  const { client } = await openKube(invocation);
  try {
    const { signal } = invocation;
    const [pods, nodes] = await Promise.all([
      podsOf(client, workload, { signal }),
      listAll(client, resourceTypes.nodes, { signal, project: (node) => node }),
    ]);
    return chooseTargetNode(pods, nodes.items, workload);
  } finally {
    client.close();
  }
}
