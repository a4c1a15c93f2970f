import { createHash } from "node:crypto";
import type { StatusView } from "../../../platform/http/index.ts";
import { plotStyle } from "../../../platform/plots/index.ts";
import { type Markup, trustedMarkup } from "../../../platform/plots/markup.ts";
import type { History } from "../findings-history.ts";
import type { ShownCluster } from "../validation/validation-service.ts";
import { diskPlot } from "./disk-plot.ts";
import { countsNav, findingGroups, verdictSentence } from "./findings.ts";
import { html } from "./html.ts";
import { favicon, logo } from "./icons.ts";
import { changesPanel, clockTime, factsPanel, nextSteps } from "./panels.ts";
import { pageScript } from "./script.ts";
import { pageStyle } from "./style.ts";
import { validationSection } from "./validation.ts";

export interface PageView {
  readonly status: StatusView;
  readonly history: History;
  /** The clusters that are validated; undefined where this process validates none by design. */
  readonly clusters?: readonly ShownCluster[] | undefined;
  readonly url: string;
  /** How a shell gets at the administrator's token. */
  readonly tokenInShell: string;
  readonly nowMs: number;
}

/** The styles and scripts that stand in the page, for its policy. */
export const pageInline = { styles: [pageStyle, plotStyle], scripts: [pageScript] };

/** Tells an open page that the server has become another version. */
const edition = createHash("sha256")
  .update(pageStyle + plotStyle + pageScript)
  .digest("hex")
  .slice(0, 12);

/** The first page: what this machine can do, what runs here, how to go on. */
export function renderPage(view: PageView): string {
  const { status, history } = view;
  const { doctor, host } = status;
  const now = clockTime(new Date(view.nowMs).toISOString());
  return html`<!doctype html>
<html lang="en" data-edition="${edition}" data-now="${now}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${titleOf(status)}</title>
<link rel="icon" href="${favicon}">
<style>${trustedMarkup(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#findings">Skip to the findings</a>
<header class="bar"><div class="wrap">${logo}<span class="brand">Tessera</span> <span class="where">${host.name}</span>
<span class="live" id="live" role="status" data-state="static"></span>
<noscript><span class="where">shows ${now}; reload for news</span></noscript></div></header>
<main class="wrap" id="main">
<div class="head">
<h1>What this machine can do</h1>
<p class="lead" id="verdict" data-live>${verdictSentence(doctor)}</p>
</div>
<nav aria-label="Findings by state"><ul class="counts" id="counts" data-live>${countsNav(doctor)}</ul></nav>
<div class="columns">
<div>
${validationPart(view)}<div id="findings" data-live tabindex="-1">${findingGroups(doctor)}</div>
<div id="disk" data-live>${diskPlot(history.diskSync)}</div>
</div>
<aside aria-label="The control plane">
<section class="panel" aria-labelledby="facts-heading"><h2 id="facts-heading">What runs here</h2>
<div id="facts" data-live>${factsPanel(status)}</div></section>
<section class="panel" aria-labelledby="next-heading"><h2 id="next-heading">How to go on</h2>${nextSteps(view)}</section>
<section class="panel" aria-labelledby="changes-heading"><h2 id="changes-heading">What has changed</h2>
<div id="changes" data-live>${changesPanel(history.changes)}</div></section>
</aside>
</div>
</main>
<footer><div class="wrap"><span id="looked" data-live>${lookedAt(status)}</span>
<a href="/api/v1/status">Status</a><a href="/metrics">Metrics</a><a href="/api/v1/openapi.json">API</a></div></footer>
<script type="module">${trustedMarkup(pageScript)}</script>
</body>
</html>
`.markup;
}

function validationPart({ clusters }: PageView): Markup | undefined {
  if (clusters === undefined) return undefined;
  return html`<section class="group" aria-labelledby="validation-heading">
<h2 id="validation-heading">Continuous validation <small>free nodes are tested, riskiest and stalest first</small></h2>
<div id="validation" data-live>${validationSection(clusters)}</div>
</section>
`;
}

function titleOf({ host, doctor }: StatusView): string {
  const counts = doctor.lastRun?.counts;
  const summary = counts === undefined ? "" : `${counts.works} of ${sum(counts)} work, `;
  return `${summary}${host.name}: Tessera`;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function lookedAt({ doctor }: StatusView): string {
  if (doctor.running) return "The doctor is looking at this machine now.";
  const finishedAt = doctor.lastRun?.finishedAt;
  return finishedAt === undefined ? "" : `The doctor looked at ${clockTime(finishedAt)}.`;
}
