import { createHash } from "node:crypto";
import type { RunIntent } from "../run.ts";

const idLength = 20;
const checkLengthMax = 14;
const nodeLengthMax = 16;
const idInNameLength = 10;

/** The id of a run: the same for the same decision, so that deciding twice is deciding once. */
export function runIdOf(
  decision: Pick<RunIntent, "cluster" | "node" | "check" | "plannedAtMs">,
): string {
  const { cluster, node, check, plannedAtMs } = decision;
  // As JSON, because names may contain any separator.
  const text = JSON.stringify([cluster, node, check, plannedAtMs]);
  return createHash("sha256").update(text).digest("hex").slice(0, idLength);
}

/**
 * The name of a run's job: readable, unique by the run's id, and valid wherever Kubernetes wants a
 * DNS label, with room for the suffixes that it and Volcano add to the names of pods.
 */
export function jobNameOf({ id, check, node }: Pick<RunIntent, "id" | "check" | "node">): string {
  const parts = ["tsr", label(check, checkLengthMax), label(node, nodeLengthMax)];
  return [...parts, id.slice(0, idInNameLength)].filter((part) => part !== "").join("-");
}

function label(text: string, lengthMax: number): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, lengthMax)
    .replace(/-$/, "");
}
