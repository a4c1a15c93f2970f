import type { NodeDetailView } from "../../../../src/control/api/nodes.ts";
import type { WordTaken } from "../../../../src/control/api/words.ts";

export type Word = WordTaken["action"];

type Choosing = Pick<NodeDetailView, "held" | "closedBy" | "acting">;

/** What a person may say about this node: only who closed a node can be told to open it. */
export function offeredWords({
  held,
  closedBy,
}: Pick<Choosing, "held" | "closedBy">): readonly Word[] {
  const doors: Word[] = held === null ? ["hold"] : [];
  if (held !== null || closedBy === "tessera") doors.push("release");
  return [...doors, "test"];
}

export const wordTitles: Readonly<Record<Word, string>> = {
  hold: "Hold",
  release: "Release",
  test: "Test now",
};

/** What comes of a word, said before it is given. */
export function wordText(word: Word, { acting }: Pick<Choosing, "acting">): string {
  if (word === "test") {
    return "The node's checks are asked for before all others. The guard rails still hold.";
  }
  if (acting !== "on") {
    return `Only written down: validation.act.mode is ${acting}, so nothing opens or closes nodes here.`;
  }
  return word === "hold"
    ? "Users are kept away from this node until somebody releases it, whatever its tests say."
    : "It is opened to users at once, whatever its checks have shown. Only a new failure closes it again.";
}
