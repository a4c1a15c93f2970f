import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { formatNumber, formatSeconds } from "../../../format.ts";
import { Button } from "../../../ui/button.tsx";
import { niceTicks } from "../../../ui/ticks.ts";
import { type Rate, rateAt } from "../model/rate-curve.ts";
import { shareOf, type TimeRange } from "../model/time-scale.ts";
import {
  endOf,
  happeningAt,
  type Lane,
  lanesOf,
  type SpanKind,
  spanWords,
  type TimelineSource,
} from "../model/timeline-lanes.ts";
import { LaneTrack, percent } from "./lane-track.tsx";
import { RateTrack } from "./rate-track.tsx";
import { type TimeCursor, useTimeCursor } from "./use-time-cursor.ts";
import "./run-chart.css";

const ticksWanted = 7;

/** A run over its time: lanes above, the rate below, one axis and one cursor for both. */
export function RunChart({ source }: { readonly source: TimelineSource }) {
  const lanes = useMemo(() => lanesOf(source), [source]);
  const whole = useMemo(() => ({ fromS: 0, toS: endOf(source) }), [source]);
  const faultsS = source.injections.flatMap(({ injectedS }) => injectedS ?? []);
  const cursor = useTimeCursor(whole);
  const { range, atS, drag } = cursor;
  const { rate } = source;
  const rows = lanes.length + (rate === null ? 1 : 2);
  const words = atS === null ? "" : readoutText(lanes, rate, atS);
  return (
    <figure class="run-chart">
      <Readout cursor={cursor} words={words} />
      <div class="run-grid">
        {lanes.map((lane, at) => (
          <Row key={lane.name} name={lane.name} at={at + 1} class="run-lane">
            <LaneTrack lane={lane} range={range} />
          </Row>
        ))}
        {rate === null ? null : (
          <Row name={rate.unit} at={lanes.length + 1} class="run-rate">
            <RateTrack rate={rate} range={range} faultsS={faultsS} />
          </Row>
        )}
        <Axis range={range} at={rows} />
        <div
          class="run-cursor"
          style={{ gridRow: `1 / span ${rows}` }}
          tabIndex={0}
          role="slider"
          aria-label="Moment of the run"
          aria-valuemin={whole.fromS}
          aria-valuemax={whole.toS}
          aria-valuenow={atS ?? whole.fromS}
          aria-valuetext={words === "" ? "no moment chosen" : words}
          {...cursor.handlers}
        >
          {atS === null || shareOf(range, atS) < 0 || shareOf(range, atS) > 1 ? null : (
            <span class="run-cursor-line" style={{ left: percent(shareOf(range, atS)) }} />
          )}
          {drag === null ? null : (
            <span
              class="run-cursor-drag"
              style={{
                left: percent(Math.min(...drag)),
                width: percent(Math.abs(drag[1] - drag[0])),
              }}
            />
          )}
        </div>
      </div>
      <Legend lanes={lanes} rate={rate} />
    </figure>
  );
}

function Row(props: {
  readonly name: string;
  readonly at: number;
  readonly class: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <>
      <div class="run-name" style={{ gridRow: props.at }} title={props.name}>
        {props.name}
      </div>
      <div class={`run-track ${props.class}`} style={{ gridRow: props.at }}>
        {props.children}
      </div>
    </>
  );
}

function Axis({ range, at }: { readonly range: TimeRange; readonly at: number }) {
  return (
    <div class="run-track run-axis" style={{ gridRow: at }} aria-hidden="true">
      {niceTicks(range.fromS, range.toS, ticksWanted).map((tick) => (
        <span key={tick} class="run-tick" style={{ left: percent(shareOf(range, tick)) }}>
          {formatSeconds(tick)}
        </span>
      ))}
    </div>
  );
}

function Readout({ cursor, words }: { readonly cursor: TimeCursor; readonly words: string }) {
  return (
    <div class="run-readout">
      <p class={words === "" ? "muted small" : "small"}>
        {words === ""
          ? "Point at a moment, or use the arrow keys. Drag (or press +) to zoom in."
          : words}
      </p>
      {cursor.isZoomed ? (
        <Button small onClick={cursor.showAll}>
          Show all
        </Button>
      ) : null}
    </div>
  );
}

/** `at 2.4 s · 0 samples/s (usual 1,200) · kill_device on rank 1`. */
function readoutText(lanes: readonly Lane[], rate: Rate | null, atS: number): string {
  const parts = [`at ${formatSeconds(atS)}`];
  if (rate !== null) {
    const { withFaults, usual } = rateAt(rate, atS);
    const own = withFaults === null ? "rate not known" : `${formatNumber(withFaults)} ${rate.unit}`;
    parts.push(usual === null ? own : `${own} (usual ${formatNumber(usual)})`);
  }
  return [...parts, ...happeningAt(lanes, atS)].join(" · ");
}

function Legend({ lanes, rate }: { readonly lanes: readonly Lane[]; readonly rate: Rate | null }) {
  const kinds = new Set(lanes.flatMap(({ spans }) => spans.map(({ kind }) => kind)));
  const signs = new Set(lanes.flatMap((lane) => lane.marks.map(({ kind }) => kind)));
  return (
    <figcaption class="run-legend small muted">
      {(Object.keys(spanWords) as SpanKind[])
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <span key={kind}>
            <span class={`run-swatch lane-${kind}`} /> {spanWords[kind]}
          </span>
        ))}
      {signs.has("effect") ? <span>◆ effect seen</span> : null}
      {signs.has("save") ? <span>▾ saved</span> : null}
      {signs.has("bad") ? <span>✕ not saved</span> : null}
      {rate === null ? null : (
        <span>
          <span class="run-swatch run-swatch-own" /> with faults
        </span>
      )}
      {rate?.usual.some((one) => one !== null) ? (
        <span>
          <span class="run-swatch run-swatch-usual" /> without
        </span>
      ) : null}
      {rate !== null && rate.dips.length > 0 ? (
        <span>
          <span class="run-swatch rate-dip-swatch" /> dip
        </span>
      ) : null}
    </figcaption>
  );
}
