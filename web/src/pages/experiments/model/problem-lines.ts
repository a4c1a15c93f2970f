/** A line of a file that a problem names. */
export interface ProblemLine {
  readonly line: number;
  readonly text: string;
}

const linesMax = 50;

/**
 * The lines that a problem with an experiment file talks about. The first one's place stands behind
 * its words (`… is missing (line 3:3; line 4:3: unknown key …)`), the others' before theirs.
 */
export function linesInProblem(message: string): readonly ProblemLine[] {
  const found = [...message.matchAll(/\bline (\d{1,6}):(\d{1,6})(?::\s*([^;]*))?/g)];
  return found.slice(0, linesMax).map((match, index) => {
    const own = match[3]?.trim().replace(/\)+\.?$/, closeOnce);
    const text = own === undefined || own === "" ? (index === 0 ? before(message) : "") : own;
    return { line: Number(match[1]), text };
  });
}

/** What a sentence says before its first place. */
function before(message: string): string {
  const [head = ""] = message.split(/\s*\(line \d/);
  return head.replace(/^[^:]*is no experiment:\s*/, "").trim();
}

/** The bracket around all places closes after the last one; brackets of its own words stay. */
function closeOnce(closing: string): string {
  return ")".repeat(Math.max(0, closing.replace(".", "").length - 1));
}

/** How many lines a text has: what the gutter counts. */
export function lineCount(text: string): number {
  return text.split("\n").length;
}

/** Where a line begins in a text, to put the cursor there. */
export function offsetOfLine(text: string, line: number): number {
  let at = 0;
  for (let each = 1; each < line; each += 1) {
    const next = text.indexOf("\n", at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  return at;
}
