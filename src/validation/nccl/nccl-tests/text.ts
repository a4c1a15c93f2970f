import {
  type NcclTestsMeasure,
  type NcclTestsReport,
  type NcclTestsRow,
  rowsMax,
  versionOfCode,
} from "./report.ts";

/** What mpirun, `srun -l` and their like put before each line. */
const launcherPrefix = /^(?:\[\d+(?:,\d+)?\](?:<std(?:out|err)>)?:? ?|\s*\d+: )/;
const deviceOf =
  /^#\s+Rank\s+\d+\s+(?:Group\s+\d+\s+)?Pid\s+\d+\s+on\s+(\S+)\s+device\s+\d+\s+\[[^\]]*\]\s+(.+?)\s*$/;
const outOfBoundsOf = /^#\s*Out of bounds values\s*:\s*(\d+)/;
const planOf = /^#\s*nThread \d+ nGpus \d+ minBytes (\d+) maxBytes (\d+)/;
const reducedOf = /^#\s*Reducing maxBytes to (\d+)/;
const versionOf = /^#\s*nccl-tests version \S+ nccl-headers=\d+ nccl-library=(\d+)/;

interface Table {
  readonly columns: readonly string[];
  readonly rows: NcclTestsRow[];
}

/** Whether a text has something of nccl-tests in it. */
export function looksLikeNcclTests(text: string): boolean {
  return /^.{0,200}#\s*(?:nThread \d|nccl-tests version|Using devices)/m.test(text);
}

/**
 * Reads the table that a program of nccl-tests prints, in every version's columns, with NCCL's own
 * log or a launcher's marks among it. Never throws: what is missing is a problem of the report.
 */
export function readNcclTestsText(text: string): NcclTestsReport {
  const lines = text.split("\n").map((line) => line.replace(launcherPrefix, "").trimEnd());
  const problems: string[] = [];
  const hosts = new Set<string>();
  const gpus: string[] = [];
  let program: string | undefined;
  let versionCode: string | undefined;
  let outOfBounds: number | undefined;
  let plan: { minBytes: number; maxBytes: number } | undefined;
  let table: Table | undefined;
  for (const line of lines) {
    const [, host, model] = deviceOf.exec(line) ?? [];
    if (host !== undefined && model !== undefined) {
      hosts.add(host);
      gpus.push(model);
    }
    program = /^#\s*Collective test starting: (\S+)/.exec(line)?.[1] ?? program;
    versionCode = versionOf.exec(line)?.[1] ?? versionCode;
    const bounds = outOfBoundsOf.exec(line)?.[1];
    if (bounds !== undefined) outOfBounds = Number(bounds);
    const [, min, max] = planOf.exec(line) ?? [];
    if (min !== undefined) plan = { minBytes: Number(min), maxBytes: Number(max) };
    const reduced = reducedOf.exec(line)?.[1];
    if (reduced !== undefined && plan !== undefined) plan.maxBytes = Number(reduced);
    const columns = columnsOf(line);
    if (columns !== undefined) table = { columns, rows: table?.rows ?? [] };
    else if (table !== undefined) problems.push(...addRow(table, line));
  }
  const rows = table?.rows ?? [];
  problems.push(...missingParts({ rows, outOfBounds, plan, hasTable: table !== undefined }));
  return {
    format: "text",
    program,
    ncclVersion: versionCode === undefined ? undefined : versionOfCode(Number(versionCode)),
    worldSize: gpus.length === 0 ? undefined : gpus.length,
    hosts: [...hosts],
    gpus: [...new Set(gpus)],
    rows,
    outOfBounds,
    variables: {},
    problems,
  };
}

/** The names of the columns, when the line is the table's head. */
function columnsOf(line: string): readonly string[] | undefined {
  if (!/^#\s+size\s+count\s/.test(line)) return undefined;
  return line.slice(1).trim().split(/\s+/);
}

function addRow({ columns, rows }: Table, line: string): readonly string[] {
  if (!/^\s*\d+\s+\d+\s/.test(line) || rows.length >= rowsMax) return [];
  const cells = line.trim().split(/\s+/);
  const timed = columns.filter((name) => name !== "timestamp");
  if (cells.length < timed.length) {
    return [`the row of ${cells[0]} bytes has ${cells.length} of ${timed.length} columns`];
  }
  const cellOf = (name: string) => cells[columns.indexOf(name)] ?? "";
  const starts = columns.flatMap((name, index) => (/^(?:cpu)?time$/.test(name) ? [index] : []));
  const [first, second] = starts.map((from) => measureAt({ columns, cells, from }));
  const sizeBytes = Number(cellOf("size"));
  rows.push({
    sizeBytes,
    type: cellOf("type"),
    reduction: cellOf("redop"),
    outOfPlace: first,
    inPlace: second,
  });
  const bad = [first, second].some((measure) => measure !== undefined && !isSound(measure));
  return bad ? [`the row of ${sizeBytes} bytes has a time or bandwidth that is no number`] : [];
}

function measureAt(o: {
  readonly columns: readonly string[];
  readonly cells: readonly string[];
  readonly from: number;
}): NcclTestsMeasure {
  const { columns, cells, from } = o;
  // The columns after a time belong to it, until the next time.
  const cellOf = (...names: readonly string[]) => {
    const index = columns.findIndex((name, at) => at >= from && names.includes(name));
    return index === -1 ? "" : (cells[index] ?? "");
  };
  const wrong = cellOf("#wrong");
  // Old versions print the largest deviation instead; how many were too large is said at the end.
  const deviation = cellOf("error");
  return {
    timeUs: Number(cells[from]),
    algbwGBps: Number(cellOf("algbw")),
    busbwGBps: Number(cellOf("busbw")),
    wrong: wrong === "" ? withinBounds(deviation) : countOf(wrong),
  };
}

function withinBounds(deviation: string): 0 | undefined {
  return deviation === "" || deviation === "N/A" ? undefined : 0;
}

function countOf(cell: string): number | undefined {
  return cell === "N/A" ? undefined : Number(cell);
}

function isSound({ timeUs, algbwGBps, busbwGBps, wrong }: NcclTestsMeasure): boolean {
  const numbers = [timeUs, algbwGBps, busbwGBps, wrong ?? 0];
  return numbers.every((value) => Number.isFinite(value) && value >= 0) && timeUs > 0;
}

function missingParts(o: {
  readonly rows: readonly NcclTestsRow[];
  readonly outOfBounds: number | undefined;
  readonly plan: { readonly minBytes: number; readonly maxBytes: number } | undefined;
  readonly hasTable: boolean;
}): readonly string[] {
  const { rows, outOfBounds, plan } = o;
  if (!o.hasTable) return ["there is no table of results"];
  if (rows.length === 0) return ["the table of results is empty"];
  const problems: string[] = [];
  if (outOfBounds === undefined) {
    problems.push("it ends before `Out of bounds values`, so the run did not come to its end");
  }
  const largest = Math.max(...rows.map(({ sizeBytes }) => sizeBytes));
  const smallest = Math.min(...rows.map(({ sizeBytes }) => sizeBytes));
  // Sizes are rounded down to whole elements for each rank.
  if (plan !== undefined && largest < plan.maxBytes / 2) {
    problems.push(`the table ends at ${largest} bytes, and ${plan.maxBytes} were asked for`);
  }
  if (plan !== undefined && smallest > Math.max(plan.minBytes, 1) * 2 && rows.length > 1) {
    problems.push(`the table begins at ${smallest} bytes, and ${plan.minBytes} were asked for`);
  }
  return problems;
}
