import { StringDecoder } from "node:string_decoder";

/** Cuts a stream of bytes into lines. A line over the limit is cut off and marked with "…". */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #lineCharsMax: number;
  readonly #decoder = new StringDecoder("utf8");
  #partial = "";
  #overlong = false;

  constructor(options: { readonly lineCharsMax: number; readonly onLine: (line: string) => void }) {
    this.#onLine = options.onLine;
    this.#lineCharsMax = options.lineCharsMax;
  }

  push(chunk: Buffer): void {
    this.#take(this.#decoder.write(chunk));
  }

  /** Hands over a last line that has no line end. */
  end(): void {
    this.#take(this.#decoder.end());
    if (this.#partial !== "" || this.#overlong) this.#emit();
  }

  #take(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#append(text.slice(start, end));
      this.#emit();
      start = end + 1;
    }
    this.#append(text.slice(start));
  }

  #append(text: string): void {
    const room = this.#lineCharsMax - this.#partial.length;
    if (text.length > room) this.#overlong = true;
    this.#partial += text.slice(0, room);
  }

  #emit(): void {
    const line = this.#overlong ? `${this.#partial}…` : this.#partial.replace(/\r$/, "");
    this.#partial = "";
    this.#overlong = false;
    this.#onLine(line);
  }
}
