import { useEffect, useState } from "preact/hooks";
import type { RunLogView } from "../../../../src/control/api/runs.ts";
import { type ApiProblem, apiGet } from "../../api/client.ts";
import { toProblem } from "../../api/problem.ts";
import { emptyLog, hasMore, type LogState, withPiece } from "./log-model.ts";

const restMs = 1500;
const restAfterProblemMs = 5000;

/** The log of a run as it grows; it asks on until the run is over, and not while paused. */
export function useRunLog(
  id: string,
  isPaused: boolean,
): {
  readonly log: LogState;
  readonly problem: ApiProblem | undefined;
  /** Asking is of no use any more: the server refuses this log. */
  readonly isRefused: boolean;
} {
  const [log, setLog] = useState<LogState>(emptyLog);
  const [problem, setProblem] = useState<ApiProblem>();
  const isRefused = problem !== undefined && isFinal(problem);
  useEffect(() => setLog(emptyLog), [id]);
  useEffect(() => {
    if (isPaused) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Each round begins with what the one before it knew.
    let known = log.next === 0 ? emptyLog : log;
    const ask = async () => {
      const path = `runs/${encodeURIComponent(id)}/log`;
      const piece = await apiGet<RunLogView>(
        path,
        { offset: known.next },
        { signal: controller.signal, isKept: false },
      );
      known = withPiece(known, piece);
      setLog(known);
      setProblem(undefined);
    };
    const round = async () => {
      let waitMs = restMs;
      try {
        await ask();
        if (known.isOver) return;
        if (hasMore(known)) waitMs = 0;
      } catch (error) {
        if (controller.signal.aborted) return;
        const found = toProblem(error);
        setProblem(found);
        if (isFinal(found)) return;
        waitMs = restAfterProblemMs;
      }
      if (!controller.signal.aborted) timer = setTimeout(() => void round(), waitMs);
    };
    void round();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [id, isPaused]);
  return { log, problem, isRefused };
}

/** A log that is not there does not come back by asking; a lost connection does, and "too many questions" passes. */
function isFinal({ status }: ApiProblem): boolean {
  return status >= 400 && status < 500 && status !== 429;
}
