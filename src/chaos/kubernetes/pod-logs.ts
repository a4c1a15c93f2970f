import type { KubeClient } from "../../platform/kube/index.ts";
import { type ProgressLine, readProgressLine } from "../command/progress-line.ts";
import type { PodView } from "./objects.ts";

const tailLines = 2000;
const limitBytes = 4 * 2 ** 20;

/**
 * Reads lines of progress from the logs of pods, each line once. A pod that is gone takes with it what
 * it printed since the last look.
 */
export class PodLogs {
  readonly #client: KubeClient;
  readonly #namespace: string;
  /** By uid: the last lines that were read, to find the new ones after them. */
  readonly #read = new Map<string, readonly string[]>();

  constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  async newLines(pods: readonly PodView[], signal: AbortSignal): Promise<readonly ProgressLine[]> {
    const lines: ProgressLine[] = [];
    for (const { name, uid } of pods) {
      const text = await this.#logOf(name, signal);
      if (text === undefined) continue;
      const all = text.split("\n").filter((line) => line !== "");
      const fresh = linesAfter(this.#read.get(uid) ?? [], all);
      this.#read.set(uid, all);
      for (const line of fresh) {
        const read = readProgressLine(line);
        if (read !== "foreign" && !("problem" in read)) lines.push(read);
      }
    }
    return lines;
  }

  /** A container that is starting or gone has no log: that is for the watch to tell. */
  async #logOf(name: string, signal: AbortSignal): Promise<string | undefined> {
    const ref = { namespace: this.#namespace, name };
    try {
      return await this.#client.logs(ref, { tailLines, limitBytes, signal });
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }
}

/** What of a tail was not yet in the one before it: they overlap where the one ends and the other begins. */
export function linesAfter(before: readonly string[], now: readonly string[]): readonly string[] {
  for (let from = 0; from < before.length; from++) {
    const overlap = before.length - from;
    if (overlap > now.length) continue;
    if (before.slice(from).every((line, at) => now[at] === line)) return now.slice(overlap);
  }
  return now;
}
