import type { Clock } from "../../time/clock.ts";
import { formatDurationMs } from "../../units/index.ts";
import { labelOf, type ReportItem } from "../report.ts";
import type { Reporter } from "../reporter.ts";
import { oneLine } from "./columns.ts";
import type { TerminalStream } from "./stream.ts";
import { createStyle } from "./style.ts";
import { endLine } from "./table.ts";

export interface LinesOptions {
  readonly stream: TerminalStream;
  readonly clock: Clock;
  readonly color: boolean;
  /** The least time between two lines about progress. @default 10 000 */
  readonly progressEveryMs?: number;
}

/** One line for each finished item, as it finishes: for files, pipes and CI logs. */
export function createLinesReporter(options: LinesOptions): Reporter {
  const { stream, clock } = options;
  const everyMs = options.progressEveryMs ?? 10_000;
  const style = createStyle(options.color);
  const names = new Map<string, string>();
  let ended = 0;
  let total: number | undefined;
  let quietUntilMs = Number.NEGATIVE_INFINITY;
  const write = (line: string) => stream.write(`${line}\n`);
  const position = () => (total === undefined ? `${ended}` : `${ended}/${total}`);
  return {
    onBegin: ({ title, subject, itemsTotal }) => {
      total = itemsTotal;
      write(style.bold(oneLine(`${title}: ${subject}`)));
    },
    onItemStart: ({ id, name }) => {
      names.set(id, name);
    },
    onProgress: ({ id, done, total: all, note }) => {
      const nowMs = clock.monotonicMs();
      if (nowMs < quietUntilMs) return;
      quietUntilMs = nowMs + everyMs;
      const part = all === undefined ? `${done}` : `${done}/${all}`;
      write(oneLine(`... ${names.get(id) ?? id} ${part}${note === undefined ? "" : ` ${note}`}`));
    },
    onItemEnd: ({ id, item }) => {
      names.delete(id);
      ended++;
      for (const line of linesOf(item)) write(line);
    },
    onEnd: (report) => {
      for (const note of report.notes) write(oneLine(note));
      write(endLine(report));
    },
  };

  function linesOf(item: ReportItem): string[] {
    const label = style.status(item.status, oneLine(labelOf(item)));
    const took = item.durationMs === undefined ? "" : ` (${formatDurationMs(item.durationMs)})`;
    const first = `[${position()}] ${label} ${oneLine(item.name)}: ${oneLine(item.reason)}${took}`;
    return item.hint === undefined ? [first] : [first, `    -> ${oneLine(item.hint)}`];
  }
}
