/**
 * What the page does where there is JavaScript: it listens for events and, when one comes, fetches
 * itself and exchanges the parts that have changed. All rendering stays on the server. A constant,
 * so that the page's policy can allow it by its hash.
 */
export const pageScript = `
const live = document.getElementById("live");
const edition = document.documentElement.dataset.edition;
const shown = new Map();
let busy = false;
let again = false;
let lastSeen = document.documentElement.dataset.now;

for (const part of document.querySelectorAll("[data-live]")) shown.set(part.id, part.innerHTML);

function say(state, text) {
  if (live.dataset.state === state && live.textContent === text) return;
  live.dataset.state = state;
  live.textContent = text;
}

function exchange(next) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = next.getElementById(part.id);
    if (fresh === null || fresh.innerHTML === shown.get(part.id)) continue;
    const open = [...part.querySelectorAll("details[open]")].map((details) => details.id);
    const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
    part.innerHTML = fresh.innerHTML;
    shown.set(part.id, fresh.innerHTML);
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (focused !== "") document.getElementById(focused)?.focus({ preventScroll: true });
  }
  document.title = next.title;
}

async function refresh() {
  again = busy;
  if (busy) return;
  busy = true;
  try {
    const answer = await fetch(location.pathname, { cache: "no-store" });
    if (!answer.ok) throw new Error("status " + answer.status);
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (next.documentElement.dataset.edition !== edition) {
      location.reload();
      return;
    }
    exchange(next);
    lastSeen = next.documentElement.dataset.now ?? lastSeen;
    say("live", "Live");
  } catch {
    lost();
  } finally {
    busy = false;
  }
  if (again) await refresh();
}

function lost() {
  say("lost", "No connection to Tessera; trying again. This page was true at " + lastSeen + ".");
}

function listen() {
  const source = new EventSource("/api/v1/events");
  source.onopen = refresh;
  source.onerror = () => {
    lost();
    // The browser connects again by itself, except after an answer it takes for final.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  };
  for (const type of ["doctor.started", "doctor.finding", "doctor.finished", "validation.changed", "status", "resync"]) {
    source.addEventListener(type, refresh);
  }
}

say("wait", "Connecting");
listen();
`;
