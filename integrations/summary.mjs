// Writes the summary of a job as Markdown, and the plots of the report as files of their own: summary.mjs FOLDER OUTCOME.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const casesMax = 100;
const barWidth = 40;

const [, , folder, outcome] = process.argv;
const words = {
  pass: "Passed.",
  fail: "Failed.",
  undecided: "Nothing could be proven.",
  error: "It could not be run.",
};

const cases = readCases(join(folder, "result.xml"));
const plots = writePlots(join(folder, "report.html"));
process.stdout.write(`${summary().join("\n")}\n`);

function summary() {
  const counts = ["passed", "skipped", "undecided", "failed"]
    .map((status) => [status, cases.filter((one) => one.status === status).length])
    .filter(([, count]) => count > 0);
  const shown = cases.toSorted((one, other) => weight(other) - weight(one)).slice(0, casesMax);
  const more = cases.length - shown.length;
  return [
    `## Tessera: ${words[outcome] ?? words.error}`,
    "",
    ...(counts.length === 0
      ? ["There is no result; the log of the step says why."]
      : ["```text", ...counts.map(([status, count]) => bar(status, count)), "```"]),
    "",
    ...(shown.length === 0
      ? []
      : ["| Result | What | Why |", "| --- | --- | --- |", ...shown.map(tableRow), ""]),
    ...(more > 0 ? [`And ${more} more in the report.`, ""] : []),
    ...(plots > 0 ? [`The artefact holds the report and ${plots} plots as SVG.`, ""] : []),
  ];
}

function weight({ status }) {
  return ["passed", "skipped", "undecided", "failed"].indexOf(status);
}

function bar(status, count) {
  const length = Math.max(1, Math.round((barWidth * count) / cases.length));
  return `${status.padEnd(10)} ${"#".repeat(length)} ${count}`;
}

function tableRow({ name, status, why }) {
  return `| ${status} | ${cell(name)} | ${cell(why)} |`;
}

/** Text that stays text inside a table, whatever a node or an experiment is called. */
function cell(text) {
  return text
    .slice(0, 300)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[\\`*_[\]|~@#]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll(/\s+/g, " ");
}

/** The cases of a JUnit file of ours: its form is fixed, so no XML library is needed. */
function readCases(path) {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  const found = text.matchAll(/<testcase name="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g);
  return [...found].map(([, name, body = ""]) => {
    const [, kind, message] =
      /<(failure|error|skipped)(?: [^>]*?message="([^"]*)")?/.exec(body) ?? [];
    const [, said = ""] = /<system-out>([\s\S]*?)<\/system-out>/.exec(body) ?? [];
    const status = { failure: "failed", error: "undecided", skipped: "skipped" }[kind] ?? "passed";
    return { name: plain(name), status, why: plain(message ?? said) };
  });
}

function plain(xml) {
  return xml
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll(/&#(?:10|xa|13|xd);/gi, " ")
    .replaceAll("&amp;", "&");
}

/** Each plot of the page, with the style of the page in it. */
function writePlots(path) {
  if (!existsSync(path)) return 0;
  const text = readFileSync(path, "utf8");
  const styles = [...text.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, style]) => style);
  const style = `<style>${styles.join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</style>`;
  const found = [...text.matchAll(/<svg xmlns[^>]*>[\s\S]*?<\/svg>/g)];
  for (const [index, [svg]] of found.entries()) {
    const file = join(folder, `plot-${index + 1}.svg`);
    writeFileSync(
      file,
      svg.replace(/^(<svg[^>]*>)/, (open) => `${open}${style}`),
    );
  }
  return found.length;
}
