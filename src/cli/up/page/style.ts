/** The page's style sheet. A constant, so that the page's policy can allow it by its hash. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: #f5f6f8; --surface: #ffffff; --line: #d9dee5; --line-soft: #e9ecf1;
  --text: #171c23; --muted: #535f6d; --link: #0b5cad; --code: #eef1f5;
  --works: #146c3f; --limited: #8a5200; --missing: #b3231b; --unknown: #5e4b9c;
  --cut: #ffffff;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1117; --surface: #151b23; --line: #2c3541; --line-soft: #222a35;
    --text: #e7ecf2; --muted: #9ba8b7; --link: #7ab7ff; --code: #0d1117;
    --works: #5fd38d; --limited: #f2b456; --missing: #ff8f85; --unknown: #c1b0ff;
    --cut: #151b23;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.5 var(--sans); -webkit-font-smoothing: antialiased; text-rendering: optimizeLegibility;
}
a { color: var(--link); text-underline-offset: 3px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
h1, h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0; }
ul, ol { list-style: none; }
.skip { position: absolute; left: 16px; top: -60px; padding: 8px 14px; background: var(--surface); border: 1px solid var(--line); border-radius: 6px; }
.skip:focus { top: 8px; }
.wrap { max-width: 1180px; margin: 0 auto; padding: 0 24px; }
.bar { border-bottom: 1px solid var(--line); background: var(--surface); }
.bar .wrap { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 14px; padding-top: 12px; padding-bottom: 12px; }
.logo { width: 24px; height: 24px; flex: none; }
.brand { font-weight: 650; font-size: 17px; letter-spacing: -0.01em; }
.where { color: var(--muted); font: 14px/1.5 var(--mono); overflow-wrap: anywhere; }
.live { margin-left: auto; display: flex; align-items: center; gap: 8px; font-size: 14px; color: var(--muted); }
.live::before { content: ""; width: 9px; height: 9px; border-radius: 50%; border: 2px solid var(--muted); }
.live[data-state="live"]::before { background: var(--works); border-color: var(--works); }
.live[data-state="lost"] { color: var(--missing); font-weight: 600; }
.live[data-state="lost"]::before { border-radius: 2px; background: var(--missing); border-color: var(--missing); }
.head { padding: 36px 0 22px; }
h1 { font-size: clamp(28px, 4vw, 38px); line-height: 1.15; letter-spacing: -0.022em; font-weight: 680; }
.lead { margin-top: 8px; font-size: 18px; color: var(--muted); max-width: 66ch; }
.lead strong { color: var(--text); font-weight: 620; }
.counts { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 12px; margin-bottom: 32px; }
.count {
  display: flex; align-items: center; gap: 12px; padding: 14px 16px; text-decoration: none; color: inherit;
  background: var(--surface); border: 1px solid var(--line); border-radius: 10px;
}
a.count:hover { border-color: var(--muted); }
.count.none { border-style: dashed; background: none; }
.count.none .icon, .count.none b { color: var(--muted); }
.count .icon { width: 26px; height: 26px; }
.count b { font-size: 26px; line-height: 1; font-weight: 660; font-variant-numeric: tabular-nums; letter-spacing: -0.02em; }
.count > span { color: var(--muted); font-size: 14.5px; }
.icon { width: 20px; height: 20px; flex: none; }
.cut { fill: none; stroke: var(--cut); stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round; }
.works { color: var(--works); } .limited { color: var(--limited); }
.missing { color: var(--missing); } .unknown { color: var(--unknown); }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 348px; gap: 32px; align-items: start; padding-bottom: 48px; }
.group { margin-bottom: 30px; }
.group > h2 { display: flex; align-items: baseline; gap: 10px; font-size: 19px; letter-spacing: -0.01em; margin-bottom: 10px; }
.group > h2 small { font-size: 14px; font-weight: 400; color: var(--muted); }
.cards { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.pairs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); gap: 1px; background: var(--line-soft); }
.pairs .card, .pairs .card + .card { background: var(--surface); border: 0; align-content: start; }
.card { display: grid; grid-template-columns: 20px minmax(0, 1fr); gap: 2px 13px; padding: 15px 18px; }
.card + .card { border-top: 1px solid var(--line-soft); }
.card > .icon { margin-top: 2px; }
.card h3 { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 9px; font-size: 16px; font-weight: 620; }
.card .body { grid-column: 2; display: grid; gap: 5px; }
.reason { overflow-wrap: anywhere; }
.hint { padding-left: 12px; border-left: 3px solid currentColor; }
.hint span { color: var(--text); }
.hint b { font-weight: 620; color: var(--text); }
.for { color: var(--muted); font-size: 14.5px; }
.more { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 18px; }
.more details[open] { flex-basis: 100%; }
.reason code, .hint code { padding: 1px 5px; background: var(--code); border: 1px solid var(--line-soft); border-radius: 4px; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.tag { color: var(--muted); font-size: 12px; font-weight: 500; line-height: 1.5; padding: 0 7px; border: 1px solid currentColor; border-radius: 999px; }
details { font-size: 14px; }
summary { cursor: pointer; color: var(--muted); width: fit-content; }
summary:hover { color: var(--text); }
.evidence { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 16px; margin-top: 6px; font: 13px/1.55 var(--mono); }
.evidence dt { color: var(--muted); }
.evidence dd { overflow-wrap: anywhere; }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 18px; margin-bottom: 20px; }
.panel h2 { font-size: 16px; margin-bottom: 12px; }
.facts { display: grid; gap: 11px; font-size: 14.5px; }
.facts dt { color: var(--muted); font-size: 13px; }
.facts dd { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.facts small { display: block; color: var(--muted); font-size: 13px; line-height: 1.4; }
.steps { display: grid; gap: 14px; font-size: 14.5px; }
code, pre { font-family: var(--mono); font-size: 13px; }
pre { margin: 6px 0 0; padding: 9px 11px; background: var(--code); border: 1px solid var(--line-soft); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
.changes { display: grid; gap: 9px; font-size: 14.5px; }
.changes li { display: grid; grid-template-columns: 20px minmax(0, 1fr); gap: 0 11px; }
.changes .icon { width: 18px; height: 18px; margin-top: 2px; }
.changes time { color: var(--muted); font-size: 13px; }
figure { margin: 0 0 20px; border: 1px solid var(--line); border-radius: 10px; overflow-x: auto; background: var(--surface); }
figure svg { display: block; width: 100%; min-width: 540px; height: auto; }
.cluster { margin-bottom: 26px; }
.cluster h3 { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 9px; font-size: 17px; font-weight: 620; }
.cluster h4 { margin: 0 0 6px; font-size: 15px; font-weight: 620; }
.cluster figure { margin: 10px 0; }
.tag.simulated { color: var(--unknown); border-style: dashed; }
.tag.measured { color: var(--works); }
.where-from { color: var(--muted); font-size: 14.5px; }
.says { margin-top: 4px; }
.card.plain { grid-template-columns: minmax(0, 1fr); }
.card.plain .body { grid-column: 1; align-content: start; }
.found, .runs { display: grid; gap: 8px; font-size: 14.5px; }
.found li { overflow-wrap: anywhere; }
.found time { color: var(--muted); font-size: 13px; }
.pill { display: inline-block; padding: 0 7px; border: 1.5px solid currentColor; border-radius: 999px; font-size: 12.5px; font-weight: 620; }
.found.few { margin: 10px 0; padding: 12px 18px; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; }
.pill.fail { color: var(--missing); } .pill.suspect, .pill.warn { color: var(--limited); }
.pill.pass { color: var(--works); } .pill.unknown { color: var(--unknown); } .pill.skipped { color: var(--muted); }
.facts.small { margin-top: 10px; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); }
.waiting { padding: 28px; text-align: center; color: var(--muted); background: var(--surface); border: 1px dashed var(--line); border-radius: 10px; }
footer { border-top: 1px solid var(--line); color: var(--muted); font-size: 14px; }
footer .wrap { display: flex; flex-wrap: wrap; gap: 6px 22px; padding-top: 18px; padding-bottom: 30px; }
@media (max-width: 900px) {
  .columns { grid-template-columns: minmax(0, 1fr); gap: 8px; }
  .counts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
@media (max-width: 480px) {
  .wrap { padding: 0 16px; }
  .live { margin-left: 0; width: 100%; }
}
@media (prefers-reduced-motion: no-preference) { .count { transition: border-color .12s; } }
@media print { .live, .skip, .count { border-color: #999; } }
`;
