import { z } from "zod";
import { named } from "../../platform/http/api-schemas.ts";
import {
  actingSchema,
  count,
  cursorParam,
  findingSchema,
  limitParam,
  moment,
  nameParam,
  nextField,
  nodeUseSchema,
  provenanceSchema,
  standingSchema,
  untoldSchema,
  verdictSchema,
} from "./common.ts";
import type { WordTaken } from "./words.ts";

/** One check of one node, in short. */
export const checkStandingSchema = z.strictObject({
  check: z.string(),
  standing: standingSchema,
  ageDays: z.number().min(0).nullable().describe("Since it last completed; null: never."),
  isStale: z.boolean(),
});

/** A node in a list. */
export const nodeRowSchema = named(
  "NodeRow",
  z.strictObject({
    cluster: z.string(),
    name: z.string(),
    sku: z.string(),
    rack: z.string(),
    standing: standingSchema,
    reason: z.string().describe("One sentence: the worst answer's, or why it was not tested."),
    use: nodeUseSchema,
    useReason: z.string(),
    closedBy: z.enum(["tessera", "other"]).nullable().describe("Who keeps users away."),
    isCovered: z.boolean().describe("Every check completed, none too long ago."),
    checks: z.array(checkStandingSchema),
  }),
);

export const nodeListQuery = z.strictObject({
  cluster: nameParam.optional(),
  standing: z
    .string()
    .regex(/^[a-z]+(,[a-z]+)*$/, { error: "must be standings with commas between" })
    .pipe(z.transform((text: string) => text.split(",")))
    .pipe(z.array(standingSchema))
    .optional()
    .describe("Only these, with commas between."),
  use: nodeUseSchema.optional(),
  rack: z.string().max(253).optional(),
  sku: z.string().max(253).optional(),
  search: z
    .string()
    .max(200)
    .optional()
    .describe("Part of the name, rack or SKU; case does not count."),
  limit: limitParam({ default: 100, max: 10_000 }),
  cursor: cursorParam,
});

export const nodeListSchema = named(
  "NodeList",
  z.strictObject({
    nodes: z.array(nodeRowSchema),
    total: count,
    next: nextField,
    untold: z
      .array(untoldSchema)
      .optional()
      .describe("Clusters whose nodes are missing here, because they cannot be told about."),
  }),
);

/**
 * A whole cluster for the heat map: columns instead of objects, texts once. Everything of node `i` is
 * at index `i`; a cell is a letter of `standingLetters`, capital when the evidence is too old.
 */
export const heatMapSchema = named(
  "HeatMap",
  z.strictObject({
    cluster: z.string(),
    provenance: provenanceSchema,
    at: moment,
    untold: untoldSchema
      .optional()
      .describe("There when the cluster cannot be told about: an empty map says nothing then."),
    checks: z.array(z.string()),
    names: z.array(z.string()),
    racks: z.array(z.string()).describe("Each rack once."),
    rackOf: z.array(count).describe("Index in `racks`."),
    skus: z.array(z.string()).describe("Each SKU once."),
    skuOf: z.array(count).describe("Index in `skus`."),
    uses: z
      .string()
      .describe("One letter a node: (f)ree, (b)usy, u(n)testable, under (t)est, un(s)een."),
    closed: z.string().describe("One letter a node: (t)essera, (o)ther or -."),
    standings: z
      .string()
      .describe(
        "One letter a node, the worst of its checks; a pass is capital when a check of it is missing or old.",
      ),
    cells: z
      .array(z.string())
      .describe(
        "One text a check, one letter a node: (p)ass (w)arn (s)uspect (f)ail (u)nknown (-) untested.",
      ),
  }),
);

export const standingLetters = {
  pass: "p",
  warn: "w",
  suspect: "s",
  fail: "f",
  unknown: "u",
  untested: "-",
} as const;
export const useLetters = {
  free: "f",
  busy: "b",
  untestable: "n",
  "under-test": "t",
  unseen: "s",
} as const;

/** One value of a figure over time, with what it was held against at that time. */
export const figurePointSchema = z.strictObject({
  runId: z.string(),
  at: moment,
  median: z.number(),
  low: z.number().describe("The worst tenth of its samples ends here."),
  high: z.number(),
  samples: count,
  verdict: verdictSchema.nullable(),
});

export const boundSchema = named(
  "Bound",
  z.strictObject({
    rule: z
      .string()
      .describe(
        "floor, band, history, baseline, siblings, as findings name it; tail: where samples begin that are slower than 99 % usually are.",
      ),
    level: z.enum(["fail", "warn", "usual"]),
    value: z.number(),
    side: z
      .enum(["below", "above"])
      .describe("On which side of it a value is bad; of `usual`, none is."),
    cohort: z.string().describe("The runs it comes from, in words."),
  }),
);

/** What the newest verdict says of slow samples. */
export const tailSchema = named(
  "Tail",
  z.strictObject({
    score: z.number().describe("How unusual they are; no value of the figure."),
    scoreMax: z.number().describe("What is usual at most."),
    cohort: z.string().describe("The runs they were held against, in words."),
  }),
);

/** Where a node stands among the nodes that it may be compared with. */
export const siblingsSchema = named(
  "Siblings",
  z.strictObject({
    others: count.describe("All other nodes that it may be compared with."),
    own: z
      .number()
      .nullable()
      .describe("The node's own newest median; null: its newest run does not have the figure."),
    better: count.describe("So many of all others are better; 0 without an own value."),
    worse: count.describe("So many of all others are worse; 0 without an own value."),
    median: z.number().nullable().describe("The middle of all others; null: there are none."),
    dots: z
      .array(z.strictObject({ node: z.string(), median: z.number(), isSelf: z.boolean() }))
      .max(257)
      .describe(
        "The node itself and at most 256 others, the lowest, the highest and evenly between them by rank; sorted by value.",
      ),
  }),
);

export const figureHistorySchema = named(
  "FigureHistory",
  z.strictObject({
    check: z.string(),
    figure: z.string(),
    unit: z.string(),
    higherIsBetter: z.boolean(),
    points: z.array(figurePointSchema).max(500).describe("Oldest first."),
    bounds: z.array(boundSchema).describe("In the unit of the figure."),
    tail: tailSchema.nullable(),
    siblings: siblingsSchema,
  }),
);

export const nodeEventSchema = z.strictObject({
  at: moment,
  kind: z.string(),
  text: z.string().describe("One sentence for people."),
  details: z.record(z.string(), z.unknown()),
});

export const checkVerdictSchema = named(
  "CheckVerdict",
  z.strictObject({
    check: z.string(),
    standing: standingSchema,
    sentence: z.string().describe("The sentence that explains it, with value and bound."),
    at: moment.nullable(),
    runId: z.string().nullable(),
    findings: z.array(findingSchema),
    hardFacts: z.array(z.string()),
    ageDays: z.number().nullable(),
    isStale: z.boolean(),
  }),
);

export const nodeDetailSchema = named(
  "NodeDetail",
  z.strictObject({
    ...nodeRowSchema.shape,
    provenance: provenanceSchema,
    now: moment.describe("The cluster's time."),
    gpus: count,
    sentence: z.string().describe("How it stands and why, for people."),
    held: z
      .strictObject({ by: z.string(), reason: z.string(), since: moment })
      .nullable()
      .describe("A person keeps it closed."),
    acting: actingSchema,
    closed: z
      .strictObject({ by: z.string(), reason: z.string(), since: moment.nullable() })
      .nullable(),
    verdicts: z.array(checkVerdictSchema),
    figures: z.array(figureHistorySchema).max(64),
    events: z.array(nodeEventSchema).max(200).describe("Newest first; kernel errors are `kernel`."),
    wanted: z
      .array(z.strictObject({ check: z.string(), purpose: z.string(), reason: z.string() }))
      .describe("Runs that are asked for and not begun."),
  }),
);

export type NodeRow = z.output<typeof nodeRowSchema>;
export type NodeListQuery = z.output<typeof nodeListQuery>;
export type NodeListView = z.output<typeof nodeListSchema>;
export type HeatMapView = z.output<typeof heatMapSchema>;
export type BoundView = z.output<typeof boundSchema>;
export type TailView = z.output<typeof tailSchema>;
export type SiblingsView = z.output<typeof siblingsSchema>;
export type FigureHistoryView = z.output<typeof figureHistorySchema>;
export type CheckVerdictView = z.output<typeof checkVerdictSchema>;
export type NodeDetailView = z.output<typeof nodeDetailSchema>;

export interface NodesPort {
  list(query: NodeListQuery): Promise<NodeListView>;
  heatMap(cluster: string): Promise<HeatMapView>;
  node(cluster: string, node: string): Promise<NodeDetailView>;
  /** A person's word; the loop carries it out. */
  say(word: {
    readonly cluster: string;
    readonly node: string;
    readonly action: WordTaken["action"];
    readonly check?: string;
    readonly reason: string;
    readonly actor: string;
  }): Promise<WordTaken>;
}
