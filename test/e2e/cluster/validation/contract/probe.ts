import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pastFigure, pastSamples } from "../support/past.ts";

/** The check of the contract: it writes down that it was there, waits at its gate, and measures. */
export const probe = "probe";

/** What a bad node is found guilty of. */
export const wrongAnswer = "wrong answer: 2 + 2 is 5";

/**
 * The check as the configuration has it.
 *
 * @param root the folder of results as jobs see it.
 */
export function probeCheck(root: string) {
  const figure = { samples: pastSamples("node-1"), higherIsBetter: true, unit: "GB/s" };
  const good = JSON.stringify({ figures: { [pastFigure]: figure } });
  const bad = JSON.stringify({ figures: { [pastFigure]: figure }, hardFacts: [wrongAnswer] });
  // A check is not told its run: its parent is.
  const script = `run=$(tr '\\0' '\\n' < /proc/$PPID/environ | sed -n 's/^TESSERA_RUN_ID=//p')
    leave() { echo "end $run $TESSERA_NODE" >> ${root}/ledger; }
    trap 'leave; exit 143' TERM
    echo "begin $run $TESSERA_NODE" >> ${root}/ledger
    gate=${root}/shut-"$TESSERA_NODE"
    if [ -e "$gate" ]; then echo "wait $run $TESSERA_NODE" >> ${root}/ledger; fi
    while [ -e "$gate" ]; do sleep 0.1; done
    leave
    if [ -e ${root}/bad-"$TESSERA_NODE" ]; then echo '${bad}'; else echo '${good}'; fi`;
  return { name: probe, minutes: 0.1, options: { command: ["sh", "-c", script] } };
}

/** What the check wrote down, on all nodes, in the order of time. */
export class Ledger {
  readonly #lines: readonly (readonly [word: string, runId: string, node: string])[];

  constructor(text: string) {
    this.#lines = text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [word = "", runId = "", node = ""] = line.split(" ");
        return [word, runId, node];
      });
  }

  /** The runs that began, each as often as it did. */
  get begun(): readonly string[] {
    return this.#lines.filter(([word]) => word === "begin").map(([, runId]) => runId);
  }

  /** The runs that found their gate shut and wait there, with their nodes; oldest first. */
  get waiting(): ReadonlyMap<string, string> {
    const waiting = new Map<string, string>();
    for (const [word, runId, node] of this.#lines) {
      if (word === "wait") waiting.set(runId, node);
      if (word === "end") waiting.delete(runId);
    }
    return waiting;
  }

  /** Runs that began more than once. */
  get twice(): readonly string[] {
    const { begun } = this;
    return [...new Set(begun.filter((runId, index) => begun.indexOf(runId) !== index))];
  }

  /** The most that ran at once, anywhere and on any one node. */
  get atOnceMax(): { readonly anywhere: number; readonly perNode: number } {
    let [anywhere, perNode] = [0, 0];
    const within = new Map<string, string>();
    for (const [word, runId, node] of this.#lines) {
      if (word === "begin") within.set(runId, node);
      if (word === "end") within.delete(runId);
      anywhere = Math.max(anywhere, within.size);
      perNode = Math.max(perNode, [...within.values()].filter((one) => one === node).length);
    }
    return { anywhere, perNode };
  }
}

/** The doors and the ledger of one folder of results. */
export interface Ground {
  ledger(): Promise<Ledger>;
  /** From now on checks wait on this node. */
  shut(...nodes: readonly string[]): Promise<void>;
  unshut(...nodes: readonly string[]): Promise<void>;
  /** From now on this node gives wrong answers. */
  spoil(node: string): Promise<void>;
  mend(node: string): Promise<void>;
}

export function createGround(root: string): Ground {
  const put = async (what: string, nodes: readonly string[]) => {
    for (const node of nodes) await writeFile(join(root, `${what}-${node}`), "");
  };
  const take = async (what: string, nodes: readonly string[]) => {
    for (const node of nodes) await rm(join(root, `${what}-${node}`), { force: true });
  };
  return {
    ledger: async () => new Ledger(await readFile(join(root, "ledger"), "utf8")),
    shut: (...nodes) => put("shut", nodes),
    unshut: (...nodes) => take("shut", nodes),
    spoil: (node) => put("bad", [node]),
    mend: (node) => take("bad", [node]),
  };
}
