import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ApiProblem } from "../../../api/client.ts";
import { countOf, formatCount, formatSeconds } from "../../../format.ts";
import { Button } from "../../../ui/button.tsx";
import { Empty, Loading, ProblemNote } from "../../../ui/notes.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { type EventTail, withoutSteps } from "../model/event-tail.ts";
import { phaseWords } from "../model/state-words.ts";

/** A reader this near to the end wants to stay there. */
const nearEndPx = 40;

/** What happened, line by line; follows the end until somebody scrolls away from it. */
export function EventLog(props: {
  readonly tail: EventTail;
  readonly total: number;
  readonly problem: ApiProblem | undefined;
  readonly isLive: boolean;
}) {
  const [showsSteps, setShowsSteps] = useState(false);
  const [follows, setFollows] = useState(true);
  const box = useRef<HTMLDivElement>(null);
  const { events } = props.tail;
  const shown = showsSteps ? events : withoutSteps(events);
  // Before the browser tells of the scroll: new lines below the place it tells of would look as if somebody had left.
  useLayoutEffect(() => {
    if (props.isLive && follows && box.current !== null) {
      box.current.scrollTop = box.current.scrollHeight;
    }
    // Their number stands still once the oldest make room for the newest.
  }, [shown.at(-1)?.seq, follows, props.isLive, showsSteps]);
  return (
    <Panel
      title="Events"
      hint={hintOf(props.tail, props.total, events.length - shown.length)}
      actions={
        <>
          {props.isLive && !follows ? (
            <Button small onClick={() => setFollows(true)}>
              Follow
            </Button>
          ) : null}
          <Button small aria-pressed={showsSteps} onClick={() => setShowsSteps(!showsSteps)}>
            {showsSteps ? "Hide steps" : "Show steps"}
          </Button>
        </>
      }
    >
      {props.problem === undefined ? null : <ProblemNote problem={props.problem} />}
      {shown.length === 0 && props.problem === undefined && (
        <NoEvents isComing={events.length === 0 && props.total > 0} isLive={props.isLive} />
      )}
      {shown.length > 0 && (
        <div
          class="events"
          ref={box}
          tabIndex={0}
          role="log"
          aria-label="Events of the run"
          aria-live="off"
          onScroll={(event) => {
            const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
            setFollows(scrollHeight - scrollTop - clientHeight < nearEndPx);
          }}
        >
          <table>
            <tbody>
              {shown.map((event) => (
                <tr key={event.seq} class={`event-${event.kind}`}>
                  <td class="event-time">{formatSeconds(event.atS)}</td>
                  <td class="event-phase muted">{phaseWords[event.phase] ?? event.phase}</td>
                  <td class="event-kind">{event.kind}</td>
                  <td>{event.text}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function hintOf({ events, dropped }: EventTail, total: number, hidden: number): string {
  const all = countOf(Math.max(total, events.length), "event");
  const kept = dropped > 0 ? `, the newest ${formatCount(events.length)} here` : "";
  const left = hidden > 0 ? `; ${formatCount(hidden)} steps and samples are hidden` : "";
  return `${all}${kept}${left}`;
}

function NoEvents(props: { readonly isComing: boolean; readonly isLive: boolean }) {
  if (props.isComing) return <Loading what="the events" />;
  return <Empty title={props.isLive ? "Nothing yet" : "No events"} />;
}
