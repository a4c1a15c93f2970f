import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { State, StateNode } from "../../runtime/checkpoint/state.ts";

/** A limit against states that hold themselves. */
const depthMax = 32;

/**
 * The digest of everything in the state of a training job: parameters, moments and step of the optimizer,
 * step, random numbers, cursor of the data, hyperparameters. Equal exactly when all bits are, wherever the
 * tensors lie, so a simulated state and that of real ranks can be compared.
 *
 * The construction, for others to repeat: one line for each leaf, its path with `/` between names, a blank,
 * and for a tensor its digest, else its value as text (`number 5`, `text "a"`); lines sorted, each ended by a
 * line feed; the SHA-256 of all.
 */
export function stateDigest(state: State): string {
  const lines: string[] = [];
  collect(state, "", lines, 0);
  const hash = createHash("sha256");
  for (const line of lines.toSorted()) hash.update(`${line}\n`);
  return `sha256:${hash.digest("hex")}`;
}

function collect(node: StateNode, path: string, lines: string[], depth: number): void {
  assert(depth < depthMax, `a state is at most ${depthMax} deep`);
  if (typeof node !== "object" || node === null) {
    lines.push(`${path} ${textOf(node)}`);
    return;
  }
  if ("digest" in node && typeof node.digest === "function") {
    lines.push(`${path} ${(node as { digest(): string }).digest()}`);
    return;
  }
  for (const [name, below] of Object.entries(node)) {
    if (below === undefined) continue;
    collect(below as StateNode, path === "" ? name : `${path}/${name}`, lines, depth + 1);
  }
}

function textOf(value: Exclude<StateNode, object> | null): string {
  if (typeof value === "number") return `number ${Object.is(value, -0) ? "-0" : value}`;
  if (typeof value === "string") return `text ${JSON.stringify(value)}`;
  return `${typeof value} ${value}`;
}
