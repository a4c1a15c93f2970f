import { itemStatuses } from "../words.ts";

const light = {
  bg: "#ffffff",
  fg: "#1c2128",
  muted: "#57606a",
  grid: "#e1e5ea",
  axis: "#8c959f",
  shade: "#eef1f4",
  series: "#0b5cad #b34700 #177245 #9c2a7a #6b4fbb #7a5c00 #0f6f84 #5c6670",
  // From low to high: lightness falls steadily, so that a grey print keeps the order.
  heat: "#eef4fb #d0e1f3 #a6c6e7 #74a4d4 #4580bb #235c99 #0e3a69",
  heatText: "#1c2128 #1c2128 #1c2128 #1c2128 #ffffff #ffffff #ffffff",
  // In the order of the statuses; each differs from its neighbours in lightness too.
  status: "#5fae84 #d9a520 #d9701a #b3191f #6b4fbb #8c959f",
} as const;

const dark = {
  bg: "#12161c",
  fg: "#e8edf2",
  muted: "#a0abb7",
  grid: "#2a313a",
  axis: "#6b7682",
  shade: "#1d232b",
  series: "#6cb2ff #ffa657 #5fd38d #f08bd0 #b79bff #e3c04d #4fd0e0 #a9b4bf",
  heat: "#17263a #1d3b5e #255485 #3472ad #5594cf #8abbe6 #c9e2f8",
  heatText: "#e8edf2 #e8edf2 #e8edf2 #ffffff #12161c #12161c #12161c",
  status: "#2f7d55 #c79a2e #ff9a4d #ff8d86 #b79bff #6b7682",
} as const;

export const heatSteps = 7;
export const seriesColours = 8;
/** Series differ in dash as well as in colour and marker. */
export const seriesDashes = 6;

const dashes = ["none", "8 4", "2 3", "10 3 2 3", "14 4", "6 2 1 2 1 2"];

function variables(theme: Record<keyof typeof light, string>): string {
  const plain = (["bg", "fg", "muted", "grid", "axis", "shade"] as const).map(
    (name) => `--tp-${name}:${theme[name]}`,
  );
  const lists = (["series", "heat", "heatText", "status"] as const).flatMap((name) =>
    theme[name].split(" ").map((colour, index) => `--tp-${name}-${index}:${colour}`),
  );
  return [...plain, ...lists].join(";");
}

function indexed(count: number, rule: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => rule(index)).join("");
}

/** The style sheet inside every plot. The same text each time, so a page can allow it by its hash. */
export const plotStyle = [
  `.tp{${variables(light)}}`,
  `@media (prefers-color-scheme:dark){.tp{${variables(dark)}}}`,
  `@media print{.tp{${variables(light)}}}`,
  ".tp text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;",
  "fill:var(--tp-fg);font-variant-numeric:tabular-nums}",
  ".tp .tp-title{font-size:15px;font-weight:600}",
  ".tp .tp-sub,.tp .tp-tick,.tp .tp-note{fill:var(--tp-muted)}",
  ".tp .tp-note{font-size:11px}",
  ".tp .tp-cell{font-size:11px}",
  ".tp .tp-halo{paint-order:stroke;stroke:var(--tp-bg);stroke-width:4px;stroke-linejoin:round}",
  ".tp .tp-empty{font-size:14px;fill:var(--tp-muted)}",
  ".tp-bg{fill:var(--tp-bg)}.tp-shade{fill:var(--tp-shade)}",
  ".tp-grid{stroke:var(--tp-grid);stroke-width:1}",
  ".tp-axis{stroke:var(--tp-axis);stroke-width:1;fill:none}",
  ".tp-ref{stroke:var(--tp-fg);stroke-width:1.5;stroke-dasharray:6 3;fill:none}",
  ".tp-hatch{stroke:var(--tp-axis);stroke-width:1;fill:none}",
  ".tp-frame{stroke:var(--tp-grid);fill:none}.tp-dashed{stroke-dasharray:4 4}",
  ".tp-tag{fill:none;stroke:var(--tp-axis)}",
  ".tp-line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}",
  ".tp-leader{stroke:currentColor;stroke-width:1;fill:none;opacity:.7}",
  ".tp-fill{fill:currentColor}.tp-open{fill:var(--tp-bg);stroke:currentColor;stroke-width:2}",
  ".tp-stroke{fill:none;stroke:currentColor;stroke-width:2}",
  ".tp-band{fill:currentColor;fill-opacity:.16}",
  ".tp-bar{stroke:currentColor;stroke-width:1}",
  ".tp-error{stroke:var(--tp-fg);stroke-width:1.5;fill:none}",
  ".tp-cross{stroke-width:1.5;fill:none}",
  indexed(seriesColours, (index) => `.tp-c${index}{color:var(--tp-series-${index})}`),
  itemStatuses.map((status, index) => `.tp-s-${status}{color:var(--tp-status-${index})}`).join(""),
  ".tp-sign{fill:none;stroke:var(--tp-bg);stroke-width:2;stroke-linecap:round}",
  indexed(seriesDashes, (index) => `.tp-d${index}{stroke-dasharray:${dashes[index]}}`),
  indexed(heatSteps, (index) => `.tp-h${index}{fill:var(--tp-heat-${index})}`),
  indexed(heatSteps, (index) => `.tp .tp-ht${index}{fill:var(--tp-heatText-${index})}`),
  indexed(heatSteps, (index) => `.tp-hx${index}{stroke:var(--tp-heatText-${index})}`),
].join("");
