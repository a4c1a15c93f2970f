import { signal } from "@preact/signals";
import { formatAgo, formatMoment, nothing } from "../format.ts";

/** The browser's time, for everything that says how long ago something was. */
export const nowMs = signal(Date.now());

const tickMs = 10_000;
if (typeof window !== "undefined") {
  setInterval(() => {
    if (!document.hidden) nowMs.value = Date.now();
  }, tickMs);
}

/**
 * A moment. `relative` says how long ago; `now` is the clock it is held against, where that is not
 * this browser's (a simulated cluster has a time of its own).
 */
export function Time(props: {
  readonly at: string | number | null | undefined;
  readonly relative?: boolean;
  readonly now?: string | number | undefined;
}) {
  if (props.at === null || props.at === undefined) return <span class="muted">{nothing}</span>;
  const date = new Date(props.at);
  if (Number.isNaN(date.getTime())) return <span class="muted">{nothing}</span>;
  const exact = formatMoment(date);
  const against = props.now === undefined ? nowMs.value : new Date(props.now).getTime();
  return (
    <time dateTime={date.toISOString()} title={exact}>
      {props.relative === true ? formatAgo(date.getTime(), against) : exact}
    </time>
  );
}
