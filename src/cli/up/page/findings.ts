import { findingStates } from "../../../platform/doctor/index.ts";
import type { DoctorView, FindingView } from "../../../platform/http/index.ts";
import type { Markup } from "../../../platform/plots/markup.ts";
import { html } from "./html.ts";
import { stateIcon } from "./icons.ts";

/** The states in the order of what needs a person first, with the words the page uses. */
const groups = [
  { state: "missing", heading: "Missing", says: "not here, or not usable" },
  { state: "limited", heading: "Limited", says: "works, with a limit to know about" },
  { state: "unknown", heading: "Unknown", says: "could not be found out, so not counted as good" },
  { state: "works", heading: "Works", says: "tried and found good" },
] as const satisfies readonly { state: FindingView["state"]; heading: string; says: string }[];

/** One sentence on whether this machine can do Tessera's main job. */
export function verdictSentence(doctor: DoctorView): Markup {
  const run = doctor.lastRun;
  if (run === null) return html`The doctor is looking at this machine. This takes a few seconds.`;
  const bad = run.findings.filter(
    ({ required, state }) => required && (state === "missing" || state === "unknown"),
  );
  if (bad.length > 0) {
    const names = bad.map(({ title }) => title).join(", ");
    return html`<strong>Not ready for its main job.</strong> What it cannot do without: ${names}.`;
  }
  const { limited, missing, unknown } = run.counts;
  const rest = limited + missing + unknown;
  if (rest === 0) return html`<strong>Everything works.</strong> Nothing is missing or limited.`;
  return html`<strong>Everything Tessera must have is here.</strong> ${rest} ${rest === 1 ? "other thing is" : "other things are"} limited, missing or unknown; each says what it is needed for.`;
}

/** The four counts, as links to their groups. */
export function countsNav(doctor: DoctorView): Markup | undefined {
  const counts = doctor.lastRun?.counts;
  if (counts === undefined) return undefined;
  return html`${findingStates.map((state) => {
    const count = counts[state];
    const content = html`${stateIcon(state)}<b>${count}</b> <span>${state}</span>`;
    return count === 0
      ? html`<li><span class="count none">${content}</span></li>`
      : html`<li><a class="count" id="count-${state}" href="#${state}">${content}</a></li>`;
  })}`;
}

/** Every finding, grouped by state. */
export function findingGroups(doctor: DoctorView): Markup {
  const run = doctor.lastRun;
  if (run === null) {
    return html`<p class="waiting">No findings yet. They appear here when the doctor is done; without JavaScript, reload the page.</p>`;
  }
  return html`${groups.map(({ state, heading, says }) => {
    const found = run.findings.filter((finding) => finding.state === state);
    if (found.length === 0) return undefined;
    const first = found.toSorted((one, other) => Number(other.required) - Number(one.required));
    return html`
<section class="group" id="${state}" aria-labelledby="${state}-heading">
<h2 id="${state}-heading">${heading} <small>${found.length} \u00b7 ${says}</small></h2>
<div class="cards ${state === "works" ? "pairs" : ""}">${first.map(findingCard)}</div>
</section>`;
  })}`;
}

function findingCard(finding: FindingView): Markup {
  const { probe, title, state, required, neededFor, reason, hint } = finding;
  return html`
<article class="card" aria-labelledby="finding-${probe}">
${stateIcon(state)}
<h3 id="finding-${probe}">${title}${required ? html` <span class="tag">required</span>` : undefined}</h3>
<div class="body">
<p class="reason">${withCode(reason)}</p>
${hint === null ? undefined : html`<p class="hint ${state}"><span><b>What to do:</b> ${withCode(hint)}</span></p>`}
<div class="more"><p class="for">Needed for ${neededFor}.</p>${evidence(finding)}</div>
</div>
</article>`;
}

function evidence({ probe, title, evidence: facts }: FindingView): Markup | undefined {
  const entries = Object.entries(facts);
  if (entries.length === 0) return undefined;
  return html`<details id="evidence-${probe}"><summary id="summary-${probe}">Evidence<span class="sr"> for ${title}</span></summary><dl class="evidence">${entries.map(
    ([name, value]) => html`<dt>${name}</dt><dd>${factText(value)}</dd>`,
  )}</dl></details>`;
}

function factText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}

/** Sentences name settings and commands between backticks. */
function withCode(sentence: string): Markup {
  const parts = sentence.split("`");
  // An odd backtick is a character like any other.
  if (parts.length % 2 === 0) return html`${sentence}`;
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
