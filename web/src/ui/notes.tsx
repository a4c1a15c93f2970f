import type { ComponentChildren } from "preact";
import type { ApiProblem } from "../api/client.ts";
import { connection } from "../api/live.ts";
import type { QueryResult } from "../api/use-query.ts";
import { formatClock } from "../format.ts";
import { Button } from "./button.tsx";
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
      {query.problem !== undefined && connection.value.state !== "lost" ? (
        <p class="stale" role="status">
          {query.problem.message} This is how {what} stood at{" "}
          {formatClock(query.atMs ?? Number.NaN)}.
        </p>
      ) : null}
      {props.children(query.data)}
    </>
  );
}
