/** A table of Markdown; cells may hold any text of one line. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n")}\n`;
}

/** Text as code, also when it holds backticks. */
export function code(text: string): string {
  const fence = "`".repeat(longestRun(text, "`") + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${space}${text}${space}${fence}`;
}

/** A block of code. */
export function block(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(text, "`") + 1));
  return `${fence}${language}\n${text.replace(/\n+$/, "")}\n${fence}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function longestRun(text: string, letter: string): number {
  return text
    .split(new RegExp(`[^${letter}]+`))
    .reduce((most, run) => Math.max(most, run.length), 0);
}
