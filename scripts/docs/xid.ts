import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  disagreement,
  parseKernelLine,
  type XidEntry,
  xidCatalogue,
  xidEntry,
  xidSources,
} from "../../src/hardware/xid/index.ts";
import { code, table } from "./markdown.ts";

const corpusFile = join(import.meta.dirname, "..", "..", "test", "fixtures", "xid", "lines.json");

/** The generated part of docs/xid.md: sources, conformance of the detectors, catalogue. */
export function xidReference(): string {
  return [sources(), conformance(), disagreements(), catalogue()].join("\n");
}

function sources(): string {
  const { catalogue: sheet, nvsentinel, gpud, dcgm, cuda, observed } = xidSources;
  return `## Sources

${table(
  ["of", "from"],
  [
    ["names and actions", `${sheet.name}, SHA-256 ${code(sheet.sha256)}`],
    ["NVSentinel", `${nvsentinel.name} ${code(nvsentinel.commit)}, ${nvsentinel.date}`],
    ["gpud", `${gpud.name} ${code(gpud.commit)}, ${gpud.date}`],
    ["DCGM", `${dcgm.name} ${code(dcgm.commit)}, ${dcgm.date}`],
    ["CUDA codes", cuda.name],
  ],
)}
The reactions of NVSentinel and gpud to every number were observed on ${observed}.
`;
}

function conformance(): string {
  const { lines } = JSON.parse(readFileSync(corpusFile, "utf8")) as {
    readonly lines: readonly { readonly what: string; readonly text: string }[];
  };
  const rows = lines.map(({ what, text }) => {
    const parsed = parseKernelLine(text);
    const { nvsentinel, gpud, kind, xid } = parsed;
    return [
      what,
      code(text.replaceAll("\n", "\\n")),
      kind === null ? "" : `${kind} ${xid}`,
      nvsentinel.matched
        ? `${nvsentinel.isFatal === true ? "fatal" : "not fatal"}, ${nvsentinel.action}`
        : "-",
      gpud.eventType ?? "-",
      kind === "sxid" || xid === undefined ? "-" : (xidEntry(xid)?.dcgm ?? "-"),
      disagreement(parsed) ?? "",
    ];
  });
  const differ = rows.filter((row) => row.at(-1) !== "").length;
  return `## Conformance

${rows.length} kernel lines and what each detector does with them, with driver 580. \`-\` is nothing: the
line is not seen. NVSentinel and gpud disagree on ${differ}. DCGM reads numbers from the driver and no
lines; its column says what it makes of the number.

${table(["line", "text", "read as", "NVSentinel", "gpud", "DCGM", "disagreement"], rows)}`;
}

function disagreements(): string {
  const only = (words: string) =>
    xidCatalogue
      .filter((entry) => disagreementOn(entry) === words)
      .map(({ xid }) => xid)
      .join(", ");
  return `## Where plain lines divide the detectors

${table(
  ["", "XIDs"],
  ["only NVSentinel calls it fatal", "only gpud calls it fatal", "only NVSentinel sees it"].map(
    (words) => [words, only(words)],
  ),
)}
A number that is in no catalogue is fatal to NVSentinel and nothing to gpud.
`;
}

function disagreementOn({ xid }: XidEntry): string | undefined {
  return disagreement(parseKernelLine(`NVRM: Xid (PCI:0000:3b:00): ${xid}, text`));
}

function catalogue(): string {
  const rows = xidCatalogue.map((entry) => {
    const { xid, name, severity, immediateAction, cuda, nvsentinel, gpud, dcgm } = entry;
    return [
      String(xid),
      name,
      severity,
      immediateAction ?? "-",
      nvsentinel.action,
      gpud === null ? "-" : [gpud.eventType, ...gpud.actions].join(", "),
      dcgm ?? "-",
      cuda === null ? "-" : `${cuda.inFlight} / ${cuda.onInit === 0 ? "-" : cuda.onInit}`,
    ];
  });
  const header = ["XID", "name", "severity", "at once", "NVSentinel", "gpud", "DCGM"];
  return `## Catalogue

CUDA: the error of a process at work / of one that starts. NVSentinel acts on everything but \`NONE\`:
it is fatal, and the node is cordoned. Of XID 144 to 150 and 154 the text decides; shown is a line
without it.

${table([...header, "CUDA"], rows)}`;
}
