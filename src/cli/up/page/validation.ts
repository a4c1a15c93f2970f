import type { ClusterValidationView } from "../../../platform/http/index.ts";
import { renderPlot } from "../../../platform/plots/index.ts";
import { type Markup, trustedMarkup } from "../../../platform/plots/markup.ts";
import { type NodeAssessment, statusMap } from "../../../validation/report/index.ts";
import { clusterLabel } from "../validation/cluster-label.ts";
import type { ShownCluster } from "../validation/validation-service.ts";
import { html } from "./html.ts";
import { clockTime } from "./panels.ts";

const findingsShown = 5;
const nodesForMap = 4;
const runsShown = 5;

/** The clusters, each apart: what is known about its nodes, what was found, what runs now. */
export function validationSection(clusters: readonly ShownCluster[]): Markup {
  if (clusters.length === 0) {
    return html`<p class="waiting">Validation is switched off: <code>validation.enabled</code> is false, or no cluster is configured.</p>`;
  }
  return html`${clusters.map(clusterPart)}`;
}

function clusterPart(shown: ShownCluster, at: number): Markup {
  const { view, assessments } = shown;
  const { name, provenance } = view;
  const heading = html`<h3 id="cluster-${at}">${name} <span class="tag ${provenance}">${provenance}</span></h3>
<p class="where-from">${view.state === "opening" || view.state === "failed" ? `${provenance}, not seen yet` : clusterLabel(view)}</p>`;
  if (assessments === undefined) {
    return html`<section class="cluster" aria-labelledby="cluster-${at}">${heading}<p class="waiting">${
      view.problem === null ? "Being opened." : `Cannot be validated: ${view.problem}`
    }</p></section>`;
  }
  return html`<section class="cluster" aria-labelledby="cluster-${at}">
${heading}
<p class="says">${sentence(view)}</p>
${assessments.length < nodesForMap ? nodeList(assessments) : nodeMap(shown.view, assessments, at)}
<div class="pairs cards">
<div class="card plain"><div class="body"><h4>Failed and suspect nodes</h4>${findings(view)}</div></div>
<div class="card plain"><div class="body"><h4>In flight: ${view.inFlight.count} of at most ${view.inFlight.max}</h4>${inFlight(view)}${progress(view)}</div></div>
</div>
</section>`;
}

function nodeMap(
  { name, provenance }: ClusterValidationView,
  assessments: readonly NodeAssessment[],
  at: number,
): Markup {
  const plot = {
    ...statusMap({ cluster: name, provenance }, assessments),
    title: `What is known about each node of ${name}`,
    widthPx: 760,
  };
  return html`<figure>${trustedMarkup(renderPlot(plot, { id: `nodes-${at}` }))}</figure>`;
}

/** A few nodes need no picture. */
function nodeList(assessments: readonly NodeAssessment[]): Markup {
  return html`<ul class="found few">${assessments.map(
    ({ node, status, reason }) =>
      html`<li><span class="pill ${status}">${status === "skipped" ? "not tested" : status}</span> <b>${node.name}</b> ${reason}</li>`,
  )}</ul>`;
}

/** The whole cluster in one sentence, worst first. */
function sentence({ nodes, coverage, state, problem, troubles }: ClusterValidationView): Markup {
  const tested = nodes.total - nodes.notTested;
  const bad = [
    nodes.fail > 0 ? `${nodes.fail} failed` : "",
    nodes.suspect > 0 ? `${nodes.suspect} suspect` : "",
    nodes.unknown > 0 ? `${nodes.unknown} unknown` : "",
  ].filter((part) => part !== "");
  const share = coverage.share === null ? "" : ` (${(coverage.share * 100).toFixed(0)} %)`;
  const lead = bad.length === 0 ? "Nothing bad found" : bad.join(", ");
  const waits = state === "waiting" ? " Another process leads; this one only watches." : "";
  const trouble = problem ?? troubles[0]?.problem;
  return html`<strong>${lead}</strong> among ${tested} of ${nodes.total} ${nodes.total === 1 ? "node" : "nodes"} tested; ${coverage.covered}${share} with complete evidence not older than ${coverage.staleAfterDays} days.${waits}${
    trouble === undefined ? undefined : html` <span class="missing">Trouble: ${trouble}</span>`
  }`;
}

function findings({ findings: found }: ClusterValidationView): Markup {
  if (found.length === 0) return html`<p class="for">None so far.</p>`;
  const shown = found.slice(0, findingsShown);
  const left = found.length - shown.length;
  return html`<ul class="found">${shown.map(
    ({ node, verdict, reason, at }) =>
      html`<li><span class="pill ${verdict}">${verdict}</span> <b>${node}</b> <time datetime="${at}">${clockTime(at)}</time><br>${reason}</li>`,
  )}</ul>${left === 0 ? undefined : html`<p class="for">and ${left} more in <a href="/api/v1/validation">the API</a></p>`}`;
}

function inFlight({ inFlight: { runs } }: ClusterValidationView): Markup {
  if (runs.length === 0) return html`<p class="for">Nothing is being tested at this moment.</p>`;
  return html`<ul class="runs">${runs
    .slice(0, runsShown)
    .map(
      ({ node, check, state }) =>
        html`<li><b>${node}</b> ${check} <span class="for">${state}</span></li>`,
    )}</ul>`;
}

/** What is done and what is owed. */
function progress({ coverage, gpuHours, checks, now, kind }: ClusterValidationView): Markup {
  const { overdueFree, overdueBusy, overdueUntestable } = coverage;
  const budget = gpuHours.perDay === null ? "no budget" : `of ${gpuHours.perDay}`;
  return html`<dl class="facts small">
<div><dt>Still owed</dt><dd>${overdueFree} free, ${overdueBusy} busy, ${overdueUntestable} not testable</dd></div>
<div><dt>GPU-hours today</dt><dd>${gpuHours.today.toFixed(1)} (${budget})</dd></div>
<div><dt>Checks</dt><dd>${checks.available.join(", ") || "none can run here"}</dd></div>
${kind === "simulated" ? html`<div><dt>Its own time</dt><dd>${clockTime(now)}</dd></div>` : undefined}
</dl>`;
}
