import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { isAfterPrefix } from "../../../frame/prefix.ts";
import { theme } from "../../../theme.ts";
import { type CursorName, nameOfSpot, spotOfName } from "./cursor-name.ts";
import { describeNode, describeSpot, sentenceOf } from "./describe.ts";
import { commandOf } from "./keys.ts";
import { cellOf, type HeatMode, type Spot } from "./layout.ts";
import { badCheckOf, type HeatModel, nameOf } from "./model.ts";
import { HeatPainter } from "./painter.ts";
import { readThemeColours } from "./theme-colours.ts";
import { Tooltip } from "./tooltip.tsx";
import { usePointer } from "./use-pointer.ts";

export interface HeatMapProps {
  readonly model: HeatModel;
  readonly order: Uint32Array;
  readonly found: Uint8Array | undefined;
  readonly mode: HeatMode;
  onOpen(node: string): void;
}

const shortHelp =
  "Click a cell to open its node. Once the map has the focus: arrows walk, N finds the next bad node, + and − zoom.";
const panShare = 0.2;
const leastRoomPx = 320;
/** Heading, filters and legend around the map. */
const aroundPx = 350;

/** The whole cluster as a picture that can be pointed at, zoomed and walked through with keys. */
export function HeatMap(props: HeatMapProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = usePainter(canvas, props);
  const [cursor, setCursor] = useState<CursorName>();
  const pointer = usePointer(canvas, painter, (spot) => open(spot));
  const spotNow = () => spotOfName(props.model, painter.current?.layout, cursor);
  // After the map was laid out: the cursor stays with its node wherever that is now.
  useLayoutEffect(
    () => painter.current?.point({ cursor: spotNow(), hover: pointer.hover?.spot }),
    [cursor, pointer.hover, props.model, props.order, props.mode],
  );
  useEffect(() => pointer.leave(), [props.order, props.mode]);

  const open = (spot: Spot) => {
    const node = painter.current?.layout?.order[spot.slot];
    if (node !== undefined) props.onOpen(nameOf(props.model, node));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const map = painter.current;
    if (map?.layout === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isAfterPrefix(event)) return;
    const here = spotNow();
    const badCheck = (node: number) => badCheckOf(props.model, node);
    const command = commandOf(event, { layout: map.layout, cursor: here, badCheck });
    if (command === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (command.kind === "move") {
      setCursor(nameOfSpot(props.model, map.layout, command.to));
      const { x, y } = cellOf(map.layout, command.to.slot);
      map.reveal({ x, y, width: map.layout.cellsPerNode });
    } else if (command.kind === "leave") setCursor(undefined);
    else if (command.kind === "open" && here !== undefined) open(here);
    else carryOut(map, command);
  };

  const layout = painter.current?.layout;
  const spoken = wordsOf(props, cursor);
  const hovered =
    pointer.hover === undefined || layout === undefined
      ? undefined
      : describeSpot(props.model, layout, { ...pointer.hover.spot, check: undefined });
  return (
    <div class="heat-map">
      <canvas
        ref={canvas}
        class="heat-canvas"
        tabIndex={0}
        role="application"
        aria-roledescription="heat map"
        aria-label={`Heat map of ${props.order.length} nodes of ${props.model.view.cluster}`}
        aria-describedby="heat-help"
        onKeyDown={onKeyDown}
        {...pointer.handlers}
      />
      <Help />
      <p class="sr" aria-live="polite">
        {spoken === undefined ? "" : sentenceOf(spoken)}
      </p>
      {hovered !== undefined && pointer.hover !== undefined && (
        <Tooltip words={hovered} at={pointer.hover.at} check={pointer.hover.spot.check} />
      )}
      <Foot words={spoken === undefined ? helpOf(props) : sentenceOf(spoken)} painter={painter} />
    </div>
  );
}

/** The cell of the cursor in words; undefined while its node is not shown. */
function wordsOf({ model, order, mode }: HeatMapProps, cursor: CursorName | undefined) {
  const node = cursor === undefined ? -1 : model.view.names.indexOf(cursor.node);
  if (node < 0 || !order.includes(node)) return undefined;
  const check = model.checks.indexOf(cursor?.check ?? "");
  return describeNode(model, node, mode === "checks" ? Math.max(0, check) : undefined);
}

/** What the cells of a node are, which no heading has room for, and how to go about. */
function helpOf({ mode, model }: HeatMapProps): string {
  if (mode !== "checks" || model.checks.length < 2) return shortHelp;
  return `The cells of a node, from left to right: ${model.checks.join(", ")}. ${shortHelp}`;
}

function Help(): JSX.Element {
  return (
    <p id="heat-help" class="sr">
      Arrow keys walk from cell to cell, page up and down from rack to rack, N to the worst cell of
      the next node that failed, is suspect or unknown, Enter opens the node, plus and minus zoom,
      shift with arrows moves the map, 0 shows all of it. The table view has the same facts.
    </p>
  );
}

function carryOut(
  map: HeatPainter,
  command: Exclude<NonNullable<ReturnType<typeof commandOf>>, { kind: "move" }>,
): void {
  const { widthPx, heightPx } = map.size;
  if (command.kind === "fit") map.fit();
  if (command.kind === "zoom") map.zoom(command.step, { x: widthPx / 2, y: heightPx / 2 });
  if (command.kind !== "pan") return;
  const [x, y] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[command.direction];
  map.pan({ x: (x ?? 0) * widthPx * panShare, y: (y ?? 0) * heightPx * panShare });
}

function usePainter(canvas: { current: HTMLCanvasElement | null }, props: HeatMapProps) {
  const painter = useRef<HeatPainter | undefined>(undefined);
  const [, setEdition] = useState(0);
  const shownTheme = theme.value;
  const colours = useMemo(readThemeColours, [shownTheme]);
  const content = useMemo(
    () => ({ ...props, colours }),
    [props.model, props.order, props.found, props.mode, colours],
  );
  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const made = new HeatPainter(element);
    painter.current = made;
    const measure = () => {
      made.resize(roomFor(element));
      setEdition((edition) => edition + 1);
    };
    made.resize(roomFor(element));
    const observer = new ResizeObserver(measure);
    observer.observe(element.parentElement ?? element);
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
      made.stop();
    };
  }, []);
  useLayoutEffect(() => painter.current?.show(content), [content]);
  return painter;
}

/** All of the width, and the height that the page leaves below its heading and filters. */
function roomFor(element: HTMLCanvasElement) {
  const height = Math.max(leastRoomPx, innerHeight - aroundPx);
  return {
    widthPx: Math.round(element.clientWidth * devicePixelRatio),
    heightPx: Math.round(height * devicePixelRatio),
  };
}

function Foot(props: {
  readonly words: string;
  readonly painter: { current: HeatPainter | undefined };
}): JSX.Element {
  return (
    <div class="heat-foot">
      <p class="small muted" aria-hidden="true">
        {props.words}
      </p>
      <ZoomButtons painter={props.painter} />
    </div>
  );
}

function ZoomButtons(props: {
  readonly painter: { current: HeatPainter | undefined };
}): JSX.Element {
  const zoom = (step: 1 | -1) => () => {
    const map = props.painter.current;
    map?.zoom(step, { x: map.size.widthPx / 2, y: map.size.heightPx / 2 });
  };
  return (
    <div class="heat-zoom">
      <button type="button" aria-label="Zoom in" onClick={zoom(1)}>
        +
      </button>
      <button type="button" aria-label="Zoom out" onClick={zoom(-1)}>
        −
      </button>
      <button type="button" aria-label="Show all" onClick={() => props.painter.current?.fit()}>
        ⤢
      </button>
    </div>
  );
}
