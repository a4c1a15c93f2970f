import { isNode, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { TesseraError } from "../../../platform/errors/index.ts";
import { isYamlNestedTooDeeply, yamlTooDeep } from "../../../platform/files/index.ts";
import { dtypes } from "../../tensor/dtype/index.ts";
import { type NetworkName, networks } from "./networks.ts";
import type { Network, Sourced, Topology } from "./topology.ts";
import { topologyOf } from "./topology-of.ts";

const count = z.int().min(1).max(1_000_000);
const rate = z.number().positive().max(1e6);
const timeUs = z.number().min(0).max(1e6);
const share = z.number().positive().max(1);

const networkSchema = z.strictObject({
  name: z.string().min(1).max(40),
  nicGBps: rate.optional(),
  nicsPerGpu: count.optional(),
  usableShare: share.optional(),
  baseUs: timeUs.optional(),
  innerHopUs: timeUs.optional(),
  hopUs: timeUs.optional(),
  exchangeUs: timeUs.optional(),
  phaseOverlap: z.number().min(0).max(1).optional(),
});

const range = z.strictObject({ min: z.number().min(0), max: z.number().min(0) });
const measuredSchema = z.record(
  z.string().max(40),
  z.strictObject({
    weights: z.record(z.string().max(60), z.number().min(0).max(1e12)),
    devices: range,
    bytes: range,
  }),
);

const schema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{0,39}$/, "must be lower-case letters, digits, - and ."),
  title: z.string().min(1).max(200).optional(),
  /** The known system this one is most like; whatever is not given is taken from it. */
  like: z.string(),
  gpusPerNode: count.optional(),
  domainGpus: count.min(2).optional(),
  linkGBps: rate.optional(),
  latencyScale: z.number().positive().max(1000).optional(),
  reducesInSwitch: z.boolean().optional(),
  gpu: z
    .strictObject({
      name: z.string().min(1).max(80),
      hbmGBps: rate,
      peakTflops: z.partialRecord(z.enum(dtypes), rate),
    })
    .optional(),
  network: z.union([z.enum(["ndr", "xdr"]), networkSchema]).optional(),
  /** What `tessera collective calibrate` fitted. */
  measured: measuredSchema.optional(),
});
type Given = z.infer<typeof schema>;

/**
 * A topology of the user's own: `like` names the known system it is modelled on, and every other field
 * replaces one of that system's.
 *
 * @param file the file's name, for error messages.
 * @throws TesseraError E_TOPOLOGY naming file, line and field.
 */
export function parseTopology(yamlText: string, file: string): Topology {
  if (isYamlNestedTooDeeply(yamlText)) throw invalid(file, 1, `${yamlTooDeep}.`);
  const lines = new LineCounter();
  const document = parseDocument(yamlText, { lineCounter: lines, prettyErrors: false });
  const fault = document.errors[0];
  if (fault !== undefined) {
    throw invalid(file, lines.linePos(fault.pos[0]).line, `not valid YAML: ${fault.message}.`);
  }
  const result = schema.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (result.success) return complete(result.data, file);
  const [issue] = result.error.issues;
  const path = issue?.path ?? [];
  const node = path.length === 0 ? undefined : document.getIn(path, true);
  const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  const field = path.length === 0 ? "the file" : `\`${path.join(".")}\``;
  throw invalid(
    file,
    lines.linePos(offset).line || 1,
    `${field}: ${issue?.message ?? "not valid"}.`,
  );
}

function complete(given: Given, file: string): Topology {
  const like = topologyOf(given.like);
  const own = (value: number): Sourced => ({ value, source: file });
  const { fabric } = like;
  const linkGBps = given.linkGBps === undefined ? fabric.linkGBps : own(given.linkGBps);
  const transfer = fabric.calibration.transferScale;
  const slower = fabric.linkGBps.value / linkGBps.value;
  const network = given.network === undefined ? like.network : networkOf(given.network, own);
  const domainGpus = given.domainGpus ?? like.domainGpus;
  return {
    name: given.name,
    title: given.title ?? `${given.name}, like ${like.name}`,
    domainGpus,
    gpusPerNode: Math.min(given.gpusPerNode ?? like.gpusPerNode, domainGpus),
    gpu: given.gpu ?? like.gpu,
    fabric: {
      ...fabric,
      linkGBps,
      reducesInSwitch: given.reducesInSwitch ?? fabric.reducesInSwitch,
      calibration: {
        ...fabric.calibration,
        transferScale: {
          value: transfer.value * slower,
          source: slower === 1 ? transfer.source : `links of ${file} against ${like.name}`,
        },
        latencyScale:
          given.latencyScale === undefined
            ? fabric.calibration.latencyScale
            : own(given.latencyScale),
      },
    },
    ...(network === undefined ? {} : { network }),
    ...(given.measured === undefined ? {} : { measured: given.measured }),
  };
}

function networkOf(given: NonNullable<Given["network"]>, own: (value: number) => Sourced): Network {
  if (typeof given === "string") return networks[given satisfies NetworkName];
  const { name, nicsPerGpu, ...values } = given;
  const replaced = Object.entries(values).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, own(value)] as const],
  );
  const base: Network = networks.ndr;
  return {
    ...base,
    name,
    nicsPerGpu: nicsPerGpu ?? base.nicsPerGpu,
    ...Object.fromEntries(replaced),
  };
}

function invalid(file: string, line: number, problem: string): TesseraError {
  return new TesseraError("E_TOPOLOGY", { topology: `${file}, line ${line}`, problem });
}
