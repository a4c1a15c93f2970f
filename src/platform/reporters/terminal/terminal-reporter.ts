import type { Clock } from "../../time/clock.ts";
import { createMultiplexer, type Reporter } from "../reporter.ts";
import { createLinesReporter } from "./lines.ts";
import { createProgressReporter } from "./progress.ts";
import { canRedraw, type TerminalStream, widthOf } from "./stream.ts";
import { renderTable } from "./table.ts";

export interface TerminalReporterOptions {
  /** Where the result goes. */
  readonly out: TerminalStream;
  /** Where bars go while work is under way, if it is a terminal: usually stderr. */
  readonly progress: TerminalStream;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the result may be coloured. */
  readonly color: boolean;
  /** No progress, only the result. @default false */
  readonly quiet?: boolean;
  /** Also the facts behind every item. @default false */
  readonly facts?: boolean;
}

/**
 * What a person sees: bars while work is under way and a table at the end on a terminal; one plain
 * line for each item as it ends everywhere else.
 */
export function createTerminalReporter(options: TerminalReporterOptions): Required<Reporter> {
  const { out, progress, clock, env, color, quiet = false, facts = false } = options;
  const bars =
    !quiet && canRedraw(progress, env)
      ? [createProgressReporter({ stream: progress, clock, env })]
      : [];
  const table: Reporter = {
    onEnd: (report) => {
      out.write(renderTable(report, { width: widthOf(out), color, facts }));
    },
  };
  const asTable = quiet || facts || canRedraw(out, env);
  return createMultiplexer([
    ...bars,
    asTable ? table : createLinesReporter({ stream: out, clock, color }),
  ]);
}
