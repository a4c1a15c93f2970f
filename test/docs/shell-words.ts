/** Lines joined where a backslash goes on in the next one. */
export function logicalLines(lines: readonly string[]): readonly { at: number; text: string }[] {
  const joined: { at: number; text: string }[] = [];
  let goesOn = false;
  for (const [at, line] of lines.entries()) {
    const text = line.replace(/\\$/, "");
    const last = joined.at(-1);
    if (goesOn && last !== undefined) last.text += text;
    else joined.push({ at, text });
    goesOn = line.endsWith("\\");
  }
  return joined;
}

/** The words of each simple command of a line, as a shell sees them; comments are left out. */
export function simpleCommands(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const [token] of text.matchAll(
    /#.*|&&|\|\|?|;|(?:"[^"]*"|'[^']*'|\$\([^)]*\)|\\.|[^\s"'|;&]|&(?!&))+/g,
  )) {
    if (token.startsWith("#")) break;
    if (/^(?:&&|\|\|?|;)$/.test(token)) commands.push([]);
    else commands.at(-1)?.push(unquoted(token));
  }
  return commands;
}

function unquoted(word: string): string {
  return word.replaceAll(
    /"([^"]*)"|'([^']*)'/g,
    (_, double?: string, single?: string) => double ?? single ?? "",
  );
}
