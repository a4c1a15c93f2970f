import { didYouMean } from "../../platform/config/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import {
  type Algorithm,
  algorithms,
  type CollectiveOp,
  collectiveOps,
  modelCollective,
} from "../../runtime/dist/time-model/index.ts";
import { topologyOf } from "../../runtime/dist/topology/index.ts";
import type { CollectiveCurve, CollectiveQuery } from "../api/studies.ts";

const route = "GET /api/v1/studies/collective";
const pointsMax = 100;

/** What docs/time-model.md shows; `npm run bench -- time-model/errors` makes it anew. */
const errorNotes = [
  "All times are modelled, none was measured here.",
  "Mean error against published curves (docs/time-model.md): 2.4 % on a GB200 rack, 7.4 % on boards of eight; 4.7 % for group sizes of a rack between measured ones; 31 % for an architecture without any curve.",
];
const betweenDomains =
  "Between domains there are no measured curves: constants are from a fit of SimAI's ring table (mean error 7 %, worst 32 %).";

/** How long a collective takes over a range of sizes, every doubling. */
export function collectiveCurve(query: CollectiveQuery): CollectiveCurve {
  const { devices, concurrentGroups, fromBytes, toBytes } = query;
  const op = oneOf("op", query.op, collectiveOps);
  const algorithm: Algorithm = oneOf("algorithm", query.algorithm, algorithms);
  const topology = topologyOf(query.topology);
  const common = { op, devices, concurrentGroups, topology, algorithm };
  const sizes = sizesBetween(fromBytes, toBytes);
  const estimates = sizes.map((bytes) => ({ bytes, ...modelCollective({ ...common, bytes }) }));
  const beyond = estimates.filter(({ basis }) => basis === "extrapolated").length;
  return {
    op,
    topology: topology.name,
    devices,
    provenance: "modelled",
    points: estimates.map(({ bytes, timeUs, algbwGBps, busbwGBps, algorithm: chosen }) => {
      return { bytes, timeUs, algbwGBps, busbwGBps, algorithm: chosen };
    }),
    notes: [
      ...errorNotes,
      ...(devices > topology.domainGpus ? [betweenDomains] : []),
      ...(beyond === 0
        ? []
        : [`${beyond} of ${sizes.length} points are outside of what was measured.`]),
    ],
    command: commandOf(query, { op, sizes }),
  };
}

/** Every doubling from one to the other; both are part of it. */
export function sizesBetween(from: number, to: number): readonly number[] {
  if (to < from) throw invalid("`toBytes` is less than `fromBytes`");
  const sizes: number[] = [];
  for (let size = from; size < to && sizes.length < pointsMax; size *= 2) sizes.push(size);
  return [...sizes, to];
}

function commandOf(
  { topology, devices, algorithm, concurrentGroups }: CollectiveQuery,
  { op, sizes }: { readonly op: CollectiveOp; readonly sizes: readonly number[] },
): string {
  const groups = concurrentGroups === 1 ? "" : ` --concurrent-groups ${concurrentGroups}`;
  const way = algorithm === "auto" ? "" : ` --algorithm ${algorithm}`;
  const range = `${sizes[0] ?? 1}..${sizes.at(-1) ?? 1}`;
  return `tessera collective ${op} --devices ${devices} --topology ${topology} --sweep ${range}${groups}${way}`;
}

/** One of some names, however its words are joined. @throws E_REQUEST_INVALID with what was probably meant */
function oneOf<const Name extends string>(
  key: string,
  given: string,
  names: readonly Name[],
): Name {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[-_ ]/g, "");
  const found = names.find((name) => plain(name) === plain(given));
  if (found !== undefined) return found;
  throw invalid(
    `\`${key}\` is none of ${names.join(", ")}: ${JSON.stringify(given)}${didYouMean(given, names)}`,
  );
}

function invalid(problem: string): TesseraError {
  return new TesseraError("E_REQUEST_INVALID", { part: "query", problem: `${problem}.`, route });
}
