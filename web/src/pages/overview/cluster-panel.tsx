import type { ClusterOverviewView } from "../../../../src/control/api/overview.ts";
import { countOf, formatCount, formatMoment, formatNumber, formatShare } from "../../format.ts";
import { pathOf } from "../../route-match.ts";
import { ProvenanceTag, StateBadge } from "../../ui/badges.tsx";
import { StackedBar } from "../../ui/bars.tsx";
import { Link } from "../../ui/link.tsx";
import { Panel } from "../../ui/panel.tsx";
import { standingOrder, standingSigns } from "../../ui/tone.ts";
import { overdueParts } from "./overdue-parts.ts";
import { standingParts } from "./standing-parts.ts";
import { Trend } from "./trend.tsx";

/** One cluster: how far it is known to work, what was found, and what is under way. */
export function ClusterPanel({ cluster }: { readonly cluster: ClusterOverviewView }) {
  const fleet = pathOf("fleet", cluster.name);
  return (
    <Panel
      class={`cluster cluster-${cluster.provenance}`}
      title={
        <>
          <Link href={fleet} class="cluster-name">
            {cluster.name}
          </Link>{" "}
          <ProvenanceTag provenance={cluster.provenance} />
        </>
      }
      hint={
        <>
          {cluster.about}
          {cluster.kind === "simulated"
            ? `; its clock says ${formatMoment(cluster.now)}, ${formatNumber(cluster.speed)} times as fast as ours`
            : ""}
        </>
      }
      actions={<StateBadge state={cluster.state} />}
    >
      {cluster.state === "waiting" && cluster.leader !== null ? (
        <p class="small muted">Tests are begun by another process: {cluster.leader} leads.</p>
      ) : null}
      {cluster.problem === null ? null : (
        <p class="cluster-problem" role="alert">
          {cluster.problem}
        </p>
      )}
      {cluster.state === "opening" || cluster.state === "failed" ? (
        // Its zeros are no figures.
        <p class="muted">
          Nothing is known about it {cluster.state === "opening" ? "until it is open" : "now"}.
        </p>
      ) : (
        <>
          <div class="cluster-body">
            <div class="cluster-left">
              <Coverage cluster={cluster} />
              <Standings cluster={cluster} />
            </div>
            <Trend days={cluster.trend} />
          </div>
          <Work cluster={cluster} />
        </>
      )}
      {cluster.troubles.length === 0 ? null : (
        <ul class="cluster-troubles">
          {cluster.troubles.map(({ step, problem }) => (
            <li key={step}>
              <strong>{step}:</strong> {problem}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Coverage({ cluster }: { readonly cluster: ClusterOverviewView }) {
  const { coverage, nodes } = cluster;
  const overdue = overdueParts(coverage);
  return (
    <div class="coverage">
      <p class="coverage-figure">
        {formatShare(coverage.share)}
        <span class="coverage-words">
          covered: {formatCount(coverage.covered)} of {countOf(nodes.total, "node")} completed every
          check in the last {formatNumber(coverage.staleAfterDays)} days
        </span>
      </p>
      {overdue.length === 0 ? null : (
        <ul class="overdue">
          {overdue.map(({ count, why }) => (
            <li key={why}>
              <b>{formatCount(count)}</b> {why}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Standings({ cluster }: { readonly cluster: ClusterOverviewView }) {
  const { byStanding, passStale, total } = cluster.nodes;
  if (total === 0) return <p class="muted">No nodes have been seen.</p>;
  return (
    <div class="standings">
      <StackedBar parts={standingParts(cluster.nodes)} thick />
      <ul class="standings-legend">
        {standingOrder.map((standing) => (
          <li key={standing}>
            <Link
              href={`${pathOf("fleet", cluster.name)}?standing=${standing}`}
              class={
                byStanding[standing] === 0
                  ? "standing-none"
                  : `tone-${standingSigns[standing].tone}`
              }
            >
              <b>{formatCount(byStanding[standing])}</b> {standingSigns[standing].word}
            </Link>
            {standing === "pass" && passStale > 0 ? (
              <span class="muted small">
                {", "}
                {passStale === byStanding.pass ? "all" : formatCount(passStale)} of them on old or
                missing evidence
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  );
}

const actingWords = {
  off: "acts on nothing",
  "dry-run": "says what it would close",
  on: "closes bad nodes",
} as const;

const wordsOfUse = [
  ["free", "free"],
  ["busy", "in use"],
  ["under-test", "under test"],
  ["untestable", "untestable"],
  ["unseen", "not seen"],
] as const;

/** Free and in use always; the others where there are any, so that all add up to the whole. */
function useWords(byUse: ClusterOverviewView["nodes"]["byUse"]): string {
  return wordsOfUse
    .filter(([use]) => byUse[use] > 0 || use === "free" || use === "busy")
    .map(([use, words]) => `${formatCount(byUse[use])} ${words}`)
    .join(", ");
}

function Work({ cluster }: { readonly cluster: ClusterOverviewView }) {
  const { inFlight, gpuHours, nodes } = cluster;
  return (
    <dl class="work">
      <div>
        <dt>In flight</dt>
        <dd>
          <Link href={`/queue?cluster=${encodeURIComponent(cluster.name)}`}>
            {formatCount(inFlight.count)} of at most {formatCount(inFlight.max)}
          </Link>
        </dd>
      </div>
      <div>
        <dt>GPU-hours today</dt>
        <dd>
          {formatNumber(gpuHours.today)}
          {gpuHours.perDay === null ? " (no budget)" : ` of ${formatNumber(gpuHours.perDay)}`}
          {gpuHours.perDay === null ? null : (
            <meter
              min={0}
              max={gpuHours.perDay}
              value={gpuHours.today}
              aria-label="Share of the budget"
            />
          )}
        </dd>
      </div>
      <div>
        <dt>Nodes now</dt>
        <dd>{useWords(nodes.byUse)}</dd>
      </div>
      <div>
        <dt>Closed by Tessera</dt>
        <dd>{formatCount(nodes.closedByUs)}</dd>
      </div>
      <div>
        <dt>Policy</dt>
        <dd>
          {cluster.policy}, {actingWords[cluster.acting]}
        </dd>
      </div>
    </dl>
  );
}
