import type { Clock, Timer } from "../../time/clock.ts";
import { formatDurationMs } from "../../units/index.ts";
import type { ItemProgress, Reporter } from "../reporter.ts";
import { columnsOf, oneLine, truncate } from "./columns.ts";
import { isUnicode, type TerminalStream, widthOf } from "./stream.ts";

export interface ProgressOptions {
  readonly stream: TerminalStream;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The least time between two drawings. @default 100 */
  readonly redrawEveryMs?: number;
}

interface Running {
  readonly name: string;
  progress?: ItemProgress;
}

// Items shown at once; the rest is counted.
const runningShownMax = 6;
const barWidth = 24;
// Without news the elapsed time still moves, so that nobody takes the program for dead.
const heartbeatMs = 1000;

/** Bars for what is running, drawn over themselves and gone at the end. Needs a terminal. */
export function createProgressReporter(options: ProgressOptions): Required<Reporter> {
  const drawing = new Drawing(options);
  return {
    onBegin: ({ itemsTotal }) => drawing.begin(itemsTotal),
    onItemStart: ({ id, name }) => drawing.start(id, name),
    onProgress: (progress) => drawing.progress(progress),
    onItemEnd: ({ id }) => drawing.end(id),
    onEnd: () => drawing.close(),
    onAbort: () => drawing.close(),
  };
}

class Drawing {
  readonly #options: ProgressOptions;
  readonly #everyMs: number;
  readonly #running = new Map<string, Running>();
  #total: number | undefined;
  #ended = 0;
  #startedMs = 0;
  #drawnMs = Number.NEGATIVE_INFINITY;
  #linesDrawn = 0;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#everyMs = options.redrawEveryMs ?? 100;
  }

  begin(total: number | undefined): void {
    this.#total = total;
    this.#startedMs = this.#options.clock.monotonicMs();
    this.#changed();
  }

  start(id: string, name: string): void {
    this.#running.set(id, { name });
    this.#changed();
  }

  progress(progress: ItemProgress): void {
    const running = this.#running.get(progress.id);
    if (running === undefined) return;
    running.progress = progress;
    this.#changed();
  }

  end(id: string): void {
    this.#running.delete(id);
    this.#ended++;
    this.#changed();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#erase();
  }

  /** Draws now, or as soon as the last drawing is old enough. */
  #changed(): void {
    if (this.#closed) return;
    const waitMs = this.#drawnMs + this.#everyMs - this.#options.clock.monotonicMs();
    if (waitMs <= 0) this.#draw();
    else this.#drawIn(waitMs);
  }

  #drawIn(waitMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimer(waitMs, () => this.#draw());
  }

  #draw(): void {
    const lines = this.#lines();
    this.#options.stream.write(`${this.#eraseCode()}${lines.map((line) => `${line}\n`).join("")}`);
    this.#linesDrawn = lines.length;
    this.#drawnMs = this.#options.clock.monotonicMs();
    this.#drawIn(heartbeatMs);
  }

  #erase(): void {
    const code = this.#eraseCode();
    if (code !== "") this.#options.stream.write(code);
    this.#linesDrawn = 0;
  }

  /** Up to the first line drawn, and everything from there on erased. */
  #eraseCode(): string {
    return this.#linesDrawn === 0 ? "" : `\u001b[${this.#linesDrawn}A\r\u001b[J`;
  }

  #lines(): string[] {
    const { stream, clock } = this.#options;
    // One column less than there are: some terminals wrap when the last one is written.
    const width = widthOf(stream) - 1;
    const shown = [...this.#running.values()].slice(0, runningShownMax);
    const hidden = this.#running.size - shown.length;
    const elapsedMs = Math.floor((clock.monotonicMs() - this.#startedMs) / 100) * 100;
    const overall =
      this.#total === undefined
        ? `${this.#ended} done`
        : `${this.#bar(this.#ended, this.#total)} ${this.#ended}/${this.#total}`;
    return [
      `${overall}  ${formatDurationMs(elapsedMs)}`,
      ...shown.map((running) => this.#itemLine(running, width)),
      ...(hidden > 0 ? [`  and ${hidden} more`] : []),
    ].map((line) => truncate(line, width));
  }

  #itemLine({ name, progress }: Running, width: number): string {
    const title = truncate(oneLine(name), Math.max(8, Math.floor(width * 0.4)));
    if (progress === undefined) return `  ${title}`;
    const { done, total, note } = progress;
    const amount =
      total === undefined ? `${done}` : `${this.#bar(done, total)} ${percent(done, total)}`;
    const line = `  ${title}  ${amount}`;
    const room = width - columnsOf(line) - 2;
    return note === undefined || room < 4 ? line : `${line}  ${truncate(oneLine(note), room)}`;
  }

  #bar(done: number, total: number): string {
    const [full, empty] = isUnicode(this.#options.env) ? ["█", "░"] : ["#", "-"];
    const filled = Math.round(share(done, total) * barWidth);
    return `${full.repeat(filled)}${empty.repeat(barWidth - filled)}`;
  }
}

function share(done: number, total: number): number {
  const part = total > 0 ? done / total : 0;
  return Number.isFinite(part) ? Math.min(1, Math.max(0, part)) : 0;
}

/** Rounded down: 100 % means that it is done. */
function percent(done: number, total: number): string {
  return `${Math.floor(share(done, total) * 100)}%`.padStart(4);
}
