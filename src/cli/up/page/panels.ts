import type { Figure, StatusView } from "../../../platform/http/index.ts";
import type { Markup } from "../../../platform/plots/markup.ts";
import { formatBytes, formatDurationMs } from "../../../platform/units/index.ts";
import type { Change } from "../findings-history.ts";
import { html } from "./html.ts";
import { stateIcon } from "./icons.ts";

/** `2026-03-01 09:30:00 UTC`: the same for everybody who reads over a shoulder. */
export function clockTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** What runs here; every figure says where it was measured. */
export function factsPanel(status: StatusView): Markup {
  const { store, host, doctor } = status;
  return html`<dl class="facts">
${fact("Version", `Tessera ${status.version} on Node ${host.node}, ${host.platform}`)}
${figureFact("Uptime", formatDurationMs(status.uptime.value * 1000), status.uptime)}
${fact("Started", clockTime(status.startedAt))}
${fact("Store", `${store.engine}, schema ${store.schemaVersion}`, store.location)}
${store.answer === null ? fact("Store answers in", "it does not answer") : figureFact("Store answers in", formatDurationMs(store.answer.value * 1000), store.answer)}
${figureFact("Memory", formatBytes(status.memory.value), status.memory)}
${doctor.lastRun === null ? undefined : figureFact("Doctor took", formatDurationMs(doctor.lastRun.duration.value * 1000), doctor.lastRun.duration)}
</dl>`;
}

function fact(name: string, value: string, note?: string): Markup {
  return html`<div><dt>${name}</dt><dd>${value}${note === undefined ? undefined : html` <small>${note}</small>`}</dd></div>`;
}

function figureFact(name: string, value: string, figure: Figure): Markup {
  return fact(name, value, `${figure.provenance}: ${figure.where}`);
}

/** What became better or worse between doctor runs. */
export function changesPanel(changes: readonly Change[]): Markup {
  if (changes.length === 0) {
    return html`<p class="for">Nothing has changed between the doctor runs in the store.</p>`;
  }
  return html`<ul class="changes">${changes.map(({ title, from, to, atMs }) => {
    const iso = new Date(atMs).toISOString();
    return html`<li>${stateIcon(to)}<span>${title}: ${from}, now <b>${to}</b><br><time datetime="${iso}">${clockTime(iso)}</time></span></li>`;
  })}</ul>`;
}

/** The next things a person would do. */
export function nextSteps(options: {
  readonly url: string;
  readonly tokenInShell: string;
}): Markup {
  const { url, tokenInShell } = options;
  return html`<ol class="steps">
<li>Repair what is missing, then let the doctor look again:
<pre><code>curl -X POST -H "Authorization: Bearer ${tokenInShell}" ${url}/api/v1/doctor/runs</code></pre></li>
<li>Ask the same of any other machine:
<pre><code>tessera doctor</code></pre></li>
<li>Scrape <a href="/metrics">the metrics</a> with Prometheus, or build on <a href="/api/v1/openapi.json">the API</a>; <a href="/api/v1/status">the status</a> as JSON has everything on this page.</li>
</ol>`;
}
