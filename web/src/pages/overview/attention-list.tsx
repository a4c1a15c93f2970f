import { useState } from "preact/hooks";
import type { AttentionView, OverviewView } from "../../../../src/control/api/overview.ts";
import { countOf, formatCount } from "../../format.ts";
import { ProvenanceTag } from "../../ui/badges.tsx";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { Empty } from "../../ui/notes.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Sentence } from "../../ui/sentence.tsx";
import { Time } from "../../ui/time.tsx";
import { attentionGroups } from "./attention-groups.ts";
import type { Unlisted } from "./attention-places.ts";

const signs = {
  critical: { word: "critical", letter: "!" },
  warning: { word: "warning", letter: "▲" },
  note: { word: "note", letter: "i" },
} as const;

/** What a person has to look at, the most urgent first. */
export function AttentionPanel({ overview }: { readonly overview: OverviewView }) {
  const { attention, attentionTotal } = overview;
  const [isUnfolded, setUnfolded] = useState(false);
  const { groups, folded } = attentionGroups(overview, isUnfolded);
  const listed = formatCount(attention.length);
  const more = attention.length < attentionTotal ? `the ${listed} listed here` : `all ${listed}`;
  return (
    <Panel
      title="Needs a human"
      class="attention"
      hint={
        attentionTotal === 0
          ? undefined
          : `${countOf(attentionTotal, "thing")}, the most urgent first`
      }
      flush
    >
      {groups.length === 0 ? (
        <Empty
          title="Nothing needs you"
          text={
            overview.clusters.length === 0
              ? "No cluster is being watched, so this says nothing about any."
              : "No node failed, nothing is held and no loop is in trouble, as far as is known now."
          }
        />
      ) : (
        groups.map(({ kind, title, count, simulated, items, unlisted }) => (
          <section key={kind} class="attention-group" aria-label={title}>
            <h3>
              {title} <b>{formatCount(count)}</b>
              {simulated === 0 || simulated === count
                ? ""
                : `, ${formatCount(simulated)} of them simulated`}
            </h3>
            <ul>
              {items.map((item) => (
                <Item
                  key={`${item.title} ${item.link}`}
                  item={item}
                  clock={clockOf(overview, item)}
                />
              ))}
            </ul>
            <NotListed places={unlisted} />
          </section>
        ))
      )}
      {folded > 0 || isUnfolded ? (
        <p class="attention-more">
          <Button small aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            {isUnfolded ? "Show fewer" : `Show ${more}`}
          </Button>
        </p>
      ) : null}
    </Panel>
  );
}

/** So many more there are of a kind, and the pages that show them. */
function NotListed({ places }: { readonly places: readonly Unlisted[] }) {
  if (places.length === 0) return null;
  return (
    <p class="attention-more small">
      Not listed here:{" "}
      {places.map(({ count, where, link }, at) => (
        <span key={link}>
          {at === 0 ? "" : ", "}
          <Link href={link}>
            {formatCount(count)} more in {where}
          </Link>
        </span>
      ))}
    </p>
  );
}

function Item(props: { readonly item: AttentionView; readonly clock: string | undefined }) {
  const { item } = props;
  const sign = signs[item.severity];
  return (
    <li>
      <Link href={item.link} class={`attention-item attention-${item.severity}`}>
        <span class="attention-sign" aria-hidden="true">
          {sign.letter}
        </span>
        <span>
          <span class="sr">{sign.word}: </span>
          <span class="attention-title">{item.title}</span>
          <span class="attention-reason">
            <Sentence text={item.reason} />
          </span>
        </span>
        <span class="attention-where">
          {item.cluster ?? ""}
          {item.since === null ? null : (
            <>
              <br />
              <Time at={item.since} relative now={props.clock} />
            </>
          )}
          {item.provenance === "simulated" ? (
            <>
              <br />
              <ProvenanceTag provenance={item.provenance} isSmall />
            </>
          ) : null}
        </span>
      </Link>
    </li>
  );
}

/** The time of the cluster it is about: a simulated one has its own. */
function clockOf(overview: OverviewView, item: AttentionView): string | undefined {
  return overview.clusters.find(({ name }) => name === item.cluster)?.now;
}
