import assert from "node:assert/strict";
import { TesseraError } from "../../../platform/errors/index.ts";
import { formatBytes } from "../../../platform/units/index.ts";
import { rankValues } from "../../../runtime/ranks/index.ts";
import {
  createNcclLogReader,
  type HcaEvidence,
  type HcaPort,
  type NcclLogReader,
  provePath,
  readHcaPorts,
} from "../../nccl/index.ts";
import { type Check, type CheckContext, type CheckOutput, defineCheck } from "../check.ts";
import { chooseMode, type ModeChoice } from "./choose-mode.ts";
import { countGpus } from "./count-gpus.ts";
import { loopbackEnvironment } from "./environment.ts";
import { type LoopbackOptions, optionsSchema } from "./options.ts";
import { type LoopbackPlan, planLoopback } from "./plan.ts";
import { RankOutput } from "./rank-output.ts";
import { figuresOf, loopbackFigures, sentBytesMin, sizeFacts, wrongAnswers } from "./results.ts";
import { type TaskInput, type TaskValue, taskValueSchema } from "./task-input.ts";

type Context = CheckContext<LoopbackOptions>;
type Chosen = Exclude<ModeChoice, { readonly impossible: string }>;

const name = "nccl-loopback";
const hint =
  "Bandwidth over another way says nothing about the network cards. docs/checks.md lists what the proof rests on.";
const pathNames = { ib: "the InfiniBand cards", socket: "sockets" } as const;

/**
 * An all-reduce between the GPUs of one machine that is made to go through its network cards, with
 * data whose sums are known and with proof of the way it took. Without InfiniBand it goes through
 * sockets, without GPUs between processes over TCP, and its figures are named so.
 */
export function createNcclLoopback(): Check {
  return defineCheck({
    name,
    title: "NCCL loop-back through every network card",
    minutes: 10,
    sensitivity: { nvlink: 0.6, nic: 0.95, "gpu-bus": 0.6, "slow-gpu": 0.2 },
    falseAlarm: 0,
    figures: loopbackFigures,
    options: optionsSchema,
    requirements: () => ({ met: true }),
    run: loopBack,
  });
}

async function loopBack(context: Context): Promise<CheckOutput> {
  const { options, host, env, log } = context;
  const choice = chooseMode(options, {
    ...countGpus(context),
    ports: await readHcaPorts({ sysfs: options.sysfs }),
    hcaVariable: env["NCCL_IB_HCA"],
    cpus: host.cpus,
  });
  if ("impossible" in choice) {
    throw new TesseraError("E_CHECK_UNAVAILABLE", { check: name, reason: choice.impossible });
  }
  const plan = planLoopback(choice.mode, context);
  const between = choice.ranks === 1 ? "one rank" : `${choice.ranks} ranks`;
  log(`${choice.mode} with ${between}: ${choice.reason}`);
  const reader = createNcclLogReader();
  const before = await readHcaPorts({ sysfs: options.sysfs });
  const { value, gpus } = await launch(context, { choice, plan, reader });
  const after = await readHcaPorts({ sysfs: options.sysfs });
  for (const sentence of wrongAnswers(value.measured)) context.noteHardFact(sentence);
  const proof = prove({ choice, plan, value, reader, before, after });
  const { mode, ranks, hcas } = choice;
  const untested = notTested(choice, { value, options });
  for (const sentence of untested) log(`not tested: ${sentence}`);
  return {
    figures: figuresOf(mode, value.measured, {
      worldSize: ranks,
      ranksPerGpu: options.ranksPerGpu,
    }),
    hardFacts: [],
    facts: {
      mode,
      modeReason: choice.reason,
      ranks,
      dtype: plan.dtype,
      iterations: plan.iterations,
      warmUp: plan.warmUp,
      sizes: sizeFacts(value.measured),
      notTested: untested,
      transport: value.facts,
      ...(gpus.length === 0 ? {} : { gpus }),
      ...(hcas === undefined ? {} : { hcas: hcas.hcas, hcasReason: hcas.reason }),
      ...(proof === undefined ? {} : { proof }),
    },
    cohort: cohortOf(choice, { plan, value, options }),
  };
}

async function launch(
  context: Context,
  o: { readonly choice: Chosen; readonly plan: LoopbackPlan; readonly reader: NcclLogReader },
): Promise<{ readonly value: TaskValue; readonly gpus: readonly unknown[] }> {
  const { choice, plan, reader } = o;
  const { log } = context;
  const output = new RankOutput({ folder: context.tempDir, reader, log });
  const input: TaskInput = {
    transport: choice.mode === "tcp" ? "tcp" : "nccl",
    sizesBytes: [...plan.sizesBytes],
    iterations: plan.iterations,
    warmUp: plan.warmUp,
    dtype: plan.dtype,
    operationTimeoutMs: context.options.operationTimeoutMs,
    ranksPerGpu: context.options.ranksPerGpu,
  };
  const variable = choice.hcas?.variable;
  const mode = choice.mode === "ib" && variable === undefined ? "socket" : choice.mode;
  const outcomes = await context.ranks({
    task: name,
    worldSize: choice.ranks,
    input,
    env: (rank) =>
      loopbackEnvironment(mode, {
        hcas: variable,
        logFile: output.fileOf(rank),
        // NCCL refuses two ranks on one GPU of one machine.
        hostId: context.options.ranksPerGpu > 1 ? `tessera-rank-${rank}` : undefined,
      }),
    signal: context.signal,
    timeoutMs: plan.timeoutMs,
    onReport: (rank, report) => {
      if (rank === 0) log(JSON.stringify(report));
    },
    onLine: (rank, line) => output.add(rank, line),
  });
  await output.readFiles(choice.ranks);
  try {
    const values = rankValues(outcomes).map((one) => taskValueSchema.parse(one));
    const [value] = values;
    assert(value !== undefined, "a run has one rank or more");
    return { value, gpus: values.flatMap(({ facts }) => facts["gpu"] ?? []) };
  } catch (error) {
    output.showTail();
    throw error;
  }
}

/** The evidence of the way that the data took; none where there was no way to take. */
function prove(o: {
  readonly choice: Chosen;
  readonly plan: LoopbackPlan;
  readonly value: TaskValue;
  readonly reader: NcclLogReader;
  readonly before: readonly HcaPort[];
  readonly after: readonly HcaPort[];
}): Readonly<Record<string, unknown>> | undefined {
  const { mode, ranks, hcas } = o.choice;
  if (mode === "tcp" || ranks < 2) return undefined;
  const log = o.reader.log();
  if (hcas === undefined) return accept(mode, provePath({ path: mode, worldSize: ranks, log }));
  const sent = { worldSize: ranks, iterations: o.plan.iterations };
  const evidence: HcaEvidence = {
    expected: hcas.hcas,
    before: o.before,
    after: o.after,
    // GPUs that share a card may reach each other without leaving it.
    ...(hcas.hcas.length < ranks ? {} : { sentBytesMin: sentBytesMin(o.value.measured, sent) }),
  };
  return accept(mode, provePath({ path: mode, worldSize: ranks, log, hcas: evidence }));
}

function accept(
  mode: "ib" | "socket",
  { proved, refusals, evidence }: ReturnType<typeof provePath>,
): Readonly<Record<string, unknown>> {
  if (proved) return evidence;
  const problem = `the data is not proved to have gone through ${pathNames[mode]}: ${refusals.join("; ")}`;
  throw new TesseraError("E_CHECK_FAILED", { check: name, problem }, { hint });
}

/** What a reader of a good result must not believe to have been tested. */
function notTested(
  { mode, ranks }: Chosen,
  { value, options }: { readonly value: TaskValue; readonly options: LoopbackOptions },
): readonly string[] {
  const left: string[] = [];
  if (mode !== "tcp" && options.ranksPerGpu > 1) {
    left.push(`the full rate of a card: ${options.ranksPerGpu} ranks share each GPU`);
  }
  if (ranks === 1) {
    left.push(
      "bandwidth, latency and the way between GPUs: one rank only copies within its own GPU, so nothing but the answer of its all-reduce was checked",
    );
  }
  if (mode !== "ib" || ranks === 1) {
    left.push("the InfiniBand cards: no data went through them");
  } else {
    left.push("the fabric beyond the first switch, and whether data turns around in a card");
  }
  if (mode === "tcp") left.push("GPUs and NCCL: the ranks are processes without a GPU");
  if (value.leftOutBytes.length > 0) {
    const sizes = value.leftOutBytes.map((bytes) => formatBytes(bytes)).join(", ");
    const room = formatBytes(value.bufferBytesMax);
    left.push(`sizes of ${sizes}: there is room for two buffers of ${room} on each rank`);
  }
  return left;
}

function cohortOf(
  { mode, ranks, hcas }: Chosen,
  {
    plan,
    value,
    options,
  }: {
    readonly plan: LoopbackPlan;
    readonly value: TaskValue;
    readonly options: LoopbackOptions;
  },
): string {
  const largest = value.measured.at(-1)?.bytes ?? 0;
  const nccl = typeof value.facts["nccl"] === "string" ? `NCCL ${value.facts["nccl"]}` : "";
  const cards = hcas === undefined ? "" : `${hcas.hcas.length} cards`;
  const shared = mode !== "tcp" && options.ranksPerGpu > 1 ? `${options.ranksPerGpu} on a GPU` : "";
  const parts = [mode, `${ranks} ranks`, shared, cards, nccl, plan.dtype, formatBytes(largest)];
  return parts.filter((part) => part !== "").join(", ");
}
