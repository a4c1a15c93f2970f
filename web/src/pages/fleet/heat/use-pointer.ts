import { useEffect, useRef, useState } from "preact/hooks";
import type { Spot } from "./layout.ts";
import type { HeatPainter } from "./painter.ts";

export interface Hover {
  readonly spot: Spot;
  readonly at: { readonly x: number; readonly y: number; readonly width: number };
}

/** A press that moved less than this is a click. */
const dragPx = 4;

/** Hover, drag, click and wheel on the map. */
export function usePointer(
  canvas: { current: HTMLCanvasElement | null },
  painter: { current: HeatPainter | undefined },
  onClick: (spot: Spot) => void,
) {
  const [hover, setHover] = useState<Hover>();
  const drag = useRef<{ x: number; y: number; isMoved: boolean } | undefined>(undefined);
  useWheel(canvas, painter);

  const spotOf = (event: PointerEvent) => {
    const box = canvas.current?.getBoundingClientRect();
    const x = event.clientX - (box?.left ?? 0);
    const y = event.clientY - (box?.top ?? 0);
    const spot = painter.current?.spotAt(x * devicePixelRatio, y * devicePixelRatio);
    return { spot, at: { x, y, width: box?.width ?? 0 } };
  };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      drag.current = { x: event.clientX, y: event.clientY, isMoved: false };
      canvas.current?.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      const from = drag.current;
      if (from !== undefined) {
        const by = { x: from.x - event.clientX, y: from.y - event.clientY };
        if (!from.isMoved && Math.hypot(by.x, by.y) < dragPx) return;
        painter.current?.pan({ x: by.x * devicePixelRatio, y: by.y * devicePixelRatio });
        drag.current = { x: event.clientX, y: event.clientY, isMoved: true };
        setHover(undefined);
        return;
      }
      const { spot, at } = spotOf(event);
      setHover(spot === undefined ? undefined : { spot, at });
    },
    onPointerUp: (event: PointerEvent) => {
      const wasDrag = drag.current?.isMoved ?? true;
      drag.current = undefined;
      const { spot } = spotOf(event);
      if (!wasDrag && spot !== undefined) onClick(spot);
    },
    onPointerCancel: () => {
      drag.current = undefined;
    },
    onPointerLeave: () => setHover(undefined),
  };
  return { hover, handlers, leave: handlers.onPointerLeave };
}

/** Zooms with control or after the map was pressed; a plain wheel scrolls the page past the map. */
function useWheel(
  canvas: { current: HTMLCanvasElement | null },
  painter: { current: HeatPainter | undefined },
): void {
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      const isMeant = event.ctrlKey || event.metaKey || document.activeElement === element;
      if (!isMeant || event.deltaY === 0) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      painter.current?.zoom(event.deltaY < 0 ? 1 : -1, {
        x: (event.clientX - box.left) * devicePixelRatio,
        y: (event.clientY - box.top) * devicePixelRatio,
      });
    };
    // Preact's own listeners may be passive, and a passive one cannot keep the page still.
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);
}
