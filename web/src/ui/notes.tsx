import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiProblem } from "../api/client.ts";
import { connection } from "../api/live.ts";
import type { QueryResult } from "../api/use-query.ts";
import { Button } from "./button.tsx";
import { staleWords } from "./stale-words.ts";
import { nowMs } from "./time.tsx";
import { Words } from "./words.tsx";
import "./notes.css";

/** Nothing to show, and what that means. */
export function Empty(props: {
  readonly title: string;
  readonly text?: ComponentChildren;
  readonly action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.text === undefined ? null : <p class="muted">{props.text}</p>}
      {props.action === undefined ? null : <div class="row empty-action">{props.action}</div>}
    </div>
  );
}

/** Room for what is on its way, so that nothing jumps when it comes. */
export function Loading(props: { readonly what: string; readonly lines?: number }) {
  const lines = Array.from({ length: props.lines ?? 4 }, (_, at) => at);
  return (
    <div class="loading" role="status">
      <span class="sr">Loading {props.what}</span>
      {lines.map((at) => (
        <span key={at} class={`skeleton skeleton-${at % 3}`} />
      ))}
    </div>
  );
}

/** What went wrong, what to do about it, and how to find it in the log. */
export function ProblemNote(props: {
  readonly problem: ApiProblem;
  readonly retry?: (() => void) | undefined;
}) {
  const { problem, retry } = props;
  return (
    <div class="problem" role="alert">
      <p>
        <strong>
          <Words text={problem.message} />
        </strong>
      </p>
      {problem.hint === "" ? null : (
        <p>
          <Words text={problem.hint} />
        </p>
      )}
      <p class="small muted">
        <code>{problem.code}</code>
        {problem.requestId === undefined ? null : (
          <>
            {" "}
            · request <code>{problem.requestId}</code>
          </>
        )}
      </p>
      {retry === undefined ? null : (
        <Button small onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Shows a query's data; loading, failed and stale are told here once for all. */
export function QueryView<T>(props: {
  readonly query: QueryResult<T>;
  readonly what: string;
  /** Instead of plain lines while it loads. */
  readonly skeleton?: ComponentChildren;
  readonly children: (data: T) => ComponentChildren;
}) {
  const { query, what } = props;
  if (query.data === undefined) {
    if (query.problem !== undefined) {
      return <ProblemNote problem={query.problem} retry={query.reload} />;
    }
    return <>{props.skeleton ?? <Loading what={what} />}</>;
  }
  return (
    <>
      <Stale query={query} what={what} />
      {props.children(query.data)}
    </>
  );
}

/** Most answers come at once: a mark until then would only make the page jump. */
const usualAnswerMs = 400;

/** Says how old what is shown is, where nothing else on the page does. */
function Stale(props: { readonly query: QueryResult<unknown>; readonly what: string }) {
  const { query, what } = props;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!query.isEarlier) return;
    const timer = setTimeout(() => setSlow(true), usualAnswerMs);
    return () => clearTimeout(timer);
  }, [query.isEarlier, query.atMs]);
  const words = staleWords(query, what, {
    // A page that was hidden has not followed the time.
    nowMs: Math.max(nowMs.value, Date.now()),
    isLost: connection.value.state === "lost",
  });
  if (words === undefined || (query.problem === undefined && !isSlow)) return null;
  return (
    <p class="stale" role="status">
      {words}
    </p>
  );
}
