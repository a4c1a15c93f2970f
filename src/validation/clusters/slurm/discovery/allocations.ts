import type { SlurmJob } from "../../../../platform/slurm/index.ts";
import type { NotFreeReason } from "../../cluster.ts";
import { holdsNodes } from "../jobs/job-states.ts";
import { readJobComment } from "../names.ts";
import type { FreeNodeInput } from "./free-node.ts";
import { gpusIn } from "./gpus.ts";

const namedMax = 3;

/** Who holds a node: users, or we. What is held by somebody whose job is not shown counts too. */
export function allocationReasons(input: FreeNodeInput): NotFreeReason[] {
  const { held, own } = input;
  const reasons: NotFreeReason[] = [];
  if (held.length > 0) reasons.push({ code: "busy", text: holdersText(input) });
  const unexplained = held.length > 0 || own.some(holdsNodes) ? undefined : usedText(input);
  if (unexplained !== undefined) reasons.push({ code: "busy", text: unexplained });
  if (own.length > 0) {
    const names = own.map((job) => `job ${job.id} of ours (${job.name}) is open`);
    reasons.push({ code: "under-test", text: firstFew(names) });
  }
  return reasons;
}

function holdersText(input: FreeNodeInput): string {
  const { held } = input;
  const gpus = gpusText(input);
  const named = held.map(holderText);
  if (gpus === "") return `${firstFew(named)} ${held.length === 1 ? "runs" : "run"} on it`;
  return `${firstFew(named)} ${held.length === 1 ? "holds" : "hold"} ${gpus}`;
}

/** A job of ours that is not: it is in another Tessera's records. */
function holderText({ id, user, name, comment }: SlurmJob): string {
  const store = readJobComment(comment)?.store;
  return store === undefined
    ? `job ${id} of ${user} (${name})`
    : `job ${id} of another Tessera (${name}, store ${store})`;
}

function gpusText({ node, settings: { gres } }: FreeNodeInput): string {
  const used = gpusIn(node.gresUsed, gres);
  return used === 0 ? "" : `${used} of ${gpusIn(node.gres, gres)} GPUs`;
}

/** What is in use though no job that we see uses it; undefined when nothing is. */
function usedText(input: FreeNodeInput): string | undefined {
  const { node } = input;
  const gpus = gpusText(input);
  if (gpus !== "") return `${gpus} are in use, by whom is not told`;
  if (node.cpusAllocated > 0) {
    return `${node.cpusAllocated} of ${node.cpus} CPUs are in use, by whom is not told`;
  }
  if (node.memoryAllocatedMiB > 0) {
    return `${node.memoryAllocatedMiB} of ${node.memoryMiB} MiB are in use, by whom is not told`;
  }
  const other = node.gresUsed.find(({ count }) => count > 0);
  if (other !== undefined) return `${other.count} ${other.name} are in use, by whom is not told`;
  if (node.state === "ALLOCATED" || node.state === "MIXED") return `it is ${node.state}`;
  if (node.flags.includes("COMPLETING")) return "a job on it is being ended";
  return undefined;
}

function firstFew(texts: readonly string[]): string {
  const more = texts.length - namedMax;
  const named = texts.slice(0, namedMax).join(", ");
  return more > 0 ? `${named}, and ${more} more` : named;
}
