import type { ComponentChildren } from "preact";
import type { Standing } from "../../../src/control/api/common.ts";
import type { ExperimentOutcome, Provenance } from "../../../src/platform/words.ts";
import { stateSign } from "./state-signs.ts";
import { standingSigns, type Tone } from "./tone.ts";
import "./badges.css";

/** A small label; `sign` stands before the words, so that no colour is needed to tell it. */
export function Badge(props: {
  readonly tone: Tone;
  readonly sign?: string;
  readonly title?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <span class={`badge badge-${props.tone}`} title={props.title}>
      {props.sign === undefined ? null : (
        <span class="badge-sign" aria-hidden="true">
          {props.sign}
        </span>
      )}
      {props.children}
    </span>
  );
}

export function StandingBadge({ standing }: { readonly standing: Standing }) {
  const sign = standingSigns[standing];
  return (
    <Badge tone={sign.tone} sign={sign.letter}>
      {sign.word}
    </Badge>
  );
}

const outcomeSigns: Readonly<Record<ExperimentOutcome, readonly [Tone, string]>> = {
  pass: ["pass", "✓"],
  fail: ["fail", "✕"],
  inconclusive: ["unknown", "?"],
};

/** How an experiment ended; null: it has not. */
export function OutcomeBadge({ outcome }: { readonly outcome: ExperimentOutcome | null }) {
  if (outcome === null) return <span class="muted">not yet</span>;
  const [tone, sign] = outcomeSigns[outcome];
  return (
    <Badge tone={tone} sign={sign}>
      {outcome}
    </Badge>
  );
}

/** A word for what something is doing. */
export function StateBadge({ state }: { readonly state: string }) {
  const [tone, sign] = stateSign(state);
  return (
    <Badge tone={tone} sign={sign}>
      {state}
    </Badge>
  );
}

const provenanceTexts: Readonly<Record<Provenance, string>> = {
  measured: "Taken from real hardware.",
  modelled: "Computed by a model; no hardware was asked.",
  simulated: "Made by a simulator; no hardware was asked.",
};

/** Where figures come from; null: nobody can tell. Simulated ones look like nothing else. */
export function ProvenanceTag(props: {
  readonly provenance: Provenance | null;
  /** In rows of a table. */
  readonly isSmall?: boolean;
}) {
  const { provenance } = props;
  if (provenance === null) return <span class="muted">origin not known</span>;
  const size = props.isSmall === true ? " provenance-small" : "";
  return (
    <span class={`provenance provenance-${provenance}${size}`} title={provenanceTexts[provenance]}>
      {provenance}
    </span>
  );
}
