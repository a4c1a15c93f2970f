import { useCallback, useRef, useState } from "preact/hooks";
import { draggedRange, momentAt, shareOf, type TimeRange } from "../model/time-scale.ts";

/** Where the reader looks at a chart of time, and what part of it is in sight. */
export interface TimeCursor {
  readonly range: TimeRange;
  /** The moment under the pointer or chosen by keys; null: none. */
  readonly atS: number | null;
  /** What is being dragged out, as shares of the width. */
  readonly drag: readonly [number, number] | null;
  readonly isZoomed: boolean;
  showAll(): void;
  readonly handlers: {
    onPointerDown(event: PointerEvent): void;
    onPointerMove(event: PointerEvent): void;
    onPointerUp(event: PointerEvent): void;
    onPointerCancel(): void;
    onPointerLeave(event: PointerEvent): void;
    onKeyDown(event: KeyboardEvent): void;
  };
}

const keyStep = 0.01;
const keyZoom = 0.5;
/** Nobody sees more than this; the axis would run out of digits. */
const zoomMost = 1e6;

/** Pointer and keys of a chart of time: look at a moment, drag a part out, come back. */
export function useTimeCursor(whole: TimeRange): TimeCursor {
  const [zoom, setZoom] = useState<TimeRange | null>(null);
  const [atS, setAtS] = useState<number | null>(null);
  const [drag, setDrag] = useState<readonly [number, number] | null>(null);
  const range = zoom ?? whole;
  const latest = useRef({ range, whole, atS, drag });
  latest.current = { range, whole, atS, drag };
  const showAll = useCallback(() => setZoom(null), []);
  const handlers = useRef<TimeCursor["handlers"]>({
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      const share = shareUnder(event);
      setDrag([share, share]);
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    },
    onPointerMove: (event) => {
      const share = shareUnder(event);
      setAtS(momentAt(latest.current.range, share));
      setDrag((old) => (old === null ? null : [old[0], share]));
    },
    onPointerUp: () => {
      const { drag: ended, range: shown } = latest.current;
      const next = ended === null ? undefined : draggedRange(shown, ended[0], ended[1]);
      if (next !== undefined) setZoom(next);
      setDrag(null);
    },
    // The browser took the gesture, to scroll for instance: nothing was chosen.
    onPointerCancel: () => setDrag(null),
    onPointerLeave: () => {
      if (latest.current.drag === null) setAtS(null);
    },
    onKeyDown: (event) => {
      const next = afterKey(event.key, latest.current);
      if (next === undefined) return;
      event.preventDefault();
      setAtS(next.atS);
      setZoom(next.zoom);
    },
  }).current;
  return { range, atS, drag, isZoomed: zoom !== null, showAll, handlers };
}

function shareUnder(event: PointerEvent): number {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  const share = box.width > 0 ? (event.clientX - box.left) / box.width : 0;
  return Math.min(1, Math.max(0, share));
}

interface Looking {
  readonly range: TimeRange;
  readonly whole: TimeRange;
  readonly atS: number | null;
}

/** What a key makes of it; undefined for keys that are not ours. */
function afterKey(
  key: string,
  { range, whole, atS }: Looking,
): { readonly atS: number; readonly zoom: TimeRange | null } | undefined {
  const isWhole = range.fromS === whole.fromS && range.toS === whole.toS;
  const zoom = isWhole ? null : range;
  const at = atS ?? momentAt(range, 0.5);
  const share = shareOf(range, at);
  switch (key) {
    case "ArrowLeft":
      return { atS: momentAt(range, share - keyStep), zoom };
    case "ArrowRight":
      return { atS: momentAt(range, share + keyStep), zoom };
    case "Home":
      return { atS: range.fromS, zoom };
    case "End":
      return { atS: range.toS, zoom };
    case "+":
      return { atS: at, zoom: around(at, { range, whole }, keyZoom) };
    case "-":
      return { atS: at, zoom: around(at, { range, whole }, 1 / keyZoom) };
    case "Escape":
      return zoom === null ? undefined : { atS: at, zoom: null };
    default:
      return undefined;
  }
}

/** The range made longer or shorter about a moment; null: all of it. */
function around(
  atS: number,
  { range, whole }: { readonly range: TimeRange; readonly whole: TimeRange },
  factor: number,
): TimeRange | null {
  const wholeLength = whole.toS - whole.fromS;
  const length = Math.max((range.toS - range.fromS) * factor, wholeLength / zoomMost);
  if (length >= wholeLength) return null;
  const fromS = Math.min(Math.max(atS - length / 2, whole.fromS), whole.toS - length);
  return { fromS, toS: fromS + length };
}
