/** A fenced block of a document. */
export interface Block {
  /** Line of its first fence, counted from 1. */
  readonly line: number;
  /** What stands behind the first fence: a language, and words of ours. */
  readonly info: string;
  readonly lines: readonly string[];
}

const fence = /^\s*```/;

/** The fenced blocks of a document, in order. */
export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { line: number; info: string; lines: string[] } | undefined;
  for (const [at, text] of markdown.split("\n").entries()) {
    if (!fence.test(text)) open?.lines.push(text);
    else if (open === undefined) {
      open = { line: at + 1, info: text.replace(fence, "").trim(), lines: [] };
    } else {
      blocks.push(open);
      open = undefined;
    }
  }
  return blocks;
}

/** Text between single backticks, outside of fenced blocks. */
export function inlineCode(markdown: string): readonly { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  let fenced = false;
  for (const [at, text] of markdown.split("\n").entries()) {
    if (fence.test(text)) fenced = !fenced;
    else if (!fenced) {
      for (const [, code = ""] of text.matchAll(/`([^`]+)`/g)) {
        found.push({ line: at + 1, text: code });
      }
    }
  }
  return found;
}
