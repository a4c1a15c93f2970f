import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatBytes, formatCount } from "../../format.ts";
import { Button, Empty, Field, Loading, ProblemNote } from "../../ui/index.ts";
import { type LogLine, linesOf, partsOf, stateWords } from "./log-model.ts";
import { useRunLog } from "./use-run-log.ts";
import "./run-log.css";

const nearEndPx = 40;

/** What a run wrote, live: follows the end until somebody scrolls away from it. */
export function RunLog(props: { readonly id: string; readonly maxHeight?: string }) {
  const [isPaused, setPaused] = useState(false);
  const [isFollowing, setFollowing] = useState(true);
  const [isWrapped, setWrapped] = useState(true);
  const [search, setSearch] = useState("");
  const { log, problem, isRefused } = useRunLog(props.id, isPaused);
  const { lines, total } = useMemo(() => linesOf(log.text, search), [log.text, search]);
  const state = stateWords(log, { isPaused, isRefused, isTroubled: problem !== undefined });
  const about = `${formatBytes(log.sizeBytes)}, ${state}`;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isFollowing && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [lines, isFollowing]);
  const onScroll = () => {
    const element = box.current;
    if (element === null) return;
    setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < nearEndPx);
  };
  return (
    <div class="run-log">
      <div class="row run-log-tools">
        <Field label="Search" inline>
          <input
            type="search"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        </Field>
        <Button small aria-pressed={isWrapped} onClick={() => setWrapped(!isWrapped)}>
          Wrap
        </Button>
        {!log.isOver && !isRefused && (
          <Button small aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {isPaused ? "Go on" : "Pause"}
          </Button>
        )}
        {!isFollowing && (
          <Button small onClick={() => setFollowing(true)}>
            To the end
          </Button>
        )}
        <span class="small muted">
          {formatCount(total)} {search.trim() === "" ? "lines" : "lines found"}, {about}
        </span>
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {log.isCut && <p class="small muted">Its beginning is too long to be kept here.</p>}
      {lines.length === 0 && problem === undefined && (
        <NoLines isKnown={log.isKnown} isSearched={search.trim() !== ""} isOver={log.isOver} />
      )}
      {lines.length > 0 && (
        <div
          ref={box}
          class={isWrapped ? "run-log-lines is-wrapped" : "run-log-lines"}
          tabIndex={0}
          role="log"
          aria-label="Log of the run"
          aria-live="off"
          onScroll={onScroll}
          style={{ maxHeight: props.maxHeight ?? "32rem" }}
        >
          <Lines lines={lines} search={search} />
        </div>
      )}
    </div>
  );
}

function NoLines(props: {
  readonly isKnown: boolean;
  readonly isSearched: boolean;
  readonly isOver: boolean;
}) {
  if (!props.isKnown) return <Loading what="the log" />;
  return (
    <Empty
      title={props.isSearched ? "No line has these words" : "Nothing written yet"}
      text={props.isOver ? "The run is over." : "What the run writes appears here."}
    />
  );
}

function Lines(props: { readonly lines: readonly LogLine[]; readonly search: string }) {
  return (
    <>
      {props.lines.map((line) => (
        <div key={line.number} class="run-log-line">
          <span aria-hidden="true">{line.number}</span>
          <code>
            {partsOf(line.text, props.search).map(({ text, isFound }, at) =>
              isFound ? <mark key={at}>{text}</mark> : text,
            )}
          </code>
        </div>
      ))}
    </>
  );
}
