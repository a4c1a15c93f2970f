/** A terminal that keeps what is on it: text, line feeds, "up n lines" and "erase below". */
export class Screen {
  readonly isTTY = true;
  columns: number;
  readonly writes: string[] = [];
  #lines: string[] = [""];
  #row = 0;

  constructor(columns: number) {
    this.columns = columns;
  }

  write(text: string): void {
    this.writes.push(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal reads
    for (const [part] of text.matchAll(/\u001b\[\d*[AJm]|\n|\r|[^\u001b\n\r]+/g)) this.#take(part);
  }

  /** What a person sees now, without blank lines at the end. */
  get text(): string {
    return this.#lines.join("\n").trimEnd();
  }

  /** The longest line ever written, in characters. */
  get widest(): number {
    return Math.max(...this.writes.flatMap((text) => text.split("\n").map((line) => line.length)));
  }

  #take(part: string): void {
    if (part === "\n") {
      this.#row++;
      this.#lines[this.#row] ??= "";
    } else if (part.endsWith("A")) {
      this.#row = Math.max(0, this.#row - Number(part.slice(2, -1)));
    } else if (part.endsWith("J")) {
      this.#lines = this.#lines.slice(0, this.#row);
      this.#lines[this.#row] = "";
    } else if (part !== "\r" && !part.startsWith("\u001b")) {
      this.#lines[this.#row] = `${this.#lines[this.#row] ?? ""}${part}`;
    }
  }
}
