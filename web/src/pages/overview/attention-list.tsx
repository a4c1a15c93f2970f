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

const signs = {
  critical: { word: "critical", letter: "!" },
  warning: { word: "warning", letter: "▲" },
  note: { word: "note", letter: "i" },
} as const;

/** What a person has to look at, the most urgent first. */
export function AttentionPanel({ overview }: { readonly overview: OverviewView }) {
  const { attention, attentionTotal } = overview;
  const [isUnfolded, setUnfolded] = useState(false);
  const { groups, folded } = attentionGroups(attention, isUnfolded);
  const unlisted = attentionTotal - attention.length;
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
        groups.map(({ kind, title, count, items }) => (
          <section key={kind} class="attention-group" aria-label={title}>
            <h3>
              {title} <b>{formatCount(count)}</b>
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
          </section>
        ))
      )}
      {folded > 0 || isUnfolded ? (
        <p class="attention-more">
          <Button small aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            {isUnfolded ? "Show fewer" : `Show all ${formatCount(attention.length)}`}
          </Button>
        </p>
      ) : null}
      {unlisted > 0 ? (
        <p class="attention-more">
          {formatCount(unlisted)} more are not in this list.{" "}
          <Link href="/fleet?standing=fail,suspect">The fleet</Link> shows every node that is bad.
        </p>
      ) : null}
    </Panel>
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
