import { mapConcurrent } from "../../platform/concurrency/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import { type KubeClient, listAll } from "../../platform/kube/index.ts";
import { createRng } from "../../platform/rng/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import {
  checkFaultSpec,
  type EndReason,
  faultLabels,
  type HardwareFault,
  type HardwareFaultSpec,
  hardwareFaults,
  isLive,
  nodeLabelValue,
  nodeOf,
  parseHardwareFault,
  type Sighting,
  type UndoEntry,
  undoFinalizer,
} from "../objects/index.ts";
import { labelsOf, runLabelValue } from "./fault-name.ts";
import { type FaultWatchOptions, type WatchedFaults, watchFaults } from "./fault-watch.ts";
import { readFault, type StatusChange, writeStatus } from "./fault-writer.ts";
import * as transitions from "./transitions.ts";

export interface FaultBookOptions {
  readonly client: KubeClient;
  /** Where the faults are kept: the namespace of the installation. */
  readonly namespace: string;
  readonly clock: Clock;
  /** Whose name is in the history: `fault-api`, `agent/<node>`, `runner/<run>`. */
  readonly by: string;
  /**
   * Told of a fault in a list that cannot be read; the list then goes on without it.
   * @default the list fails
   */
  readonly onDamaged?: (error: Error) => void;
}

/** Which faults. */
export interface FaultSelection {
  readonly run?: string;
  readonly node?: string;
  /** True: only those of which something may be in force. @default all */
  readonly live?: boolean;
}

/**
 * The faults in the cluster. Every change is one write of the status, made only if nobody changed
 * the fault in between. Calls throw E_HW_FAULT_UNKNOWN for a fault that is not there and
 * E_HW_REFUSED for a change that may not follow what the fault is now.
 */
export interface FaultBook {
  /** Writes a fault down, `planned`; its lease begins. */
  create(
    name: string,
    spec: HardwareFaultSpec,
    labels?: Readonly<Record<string, string>>,
  ): Promise<HardwareFault>;
  /** Writes the undo down and makes it `armed`, in one. */
  arm(name: string, undo: readonly UndoEntry[]): Promise<HardwareFault>;
  /** Writes another undo down, before more is changed. It may not have fewer entries. */
  amend(name: string, undo: readonly UndoEntry[]): Promise<HardwareFault>;
  injected(name: string): Promise<HardwareFault>;
  /** It cannot be carried out: `failed` at once, or after its undo where it was armed. */
  failed(name: string, message: string): Promise<HardwareFault>;
  sighted(name: string, sighting: Sighting): Promise<HardwareFault>;
  /**
   * Renews every fault of a run that is in force, each for its own lease at most and never past its
   * end. Returns those renewed.
   *
   * @throws TesseraError E_HW_REFUSED naming one when the run had faults and all have ended
   */
  renew(run: string, leaseUntilMs?: number): Promise<readonly HardwareFault[]>;
  /** Decides that it ends, once; a reaper does the rest. */
  end(name: string, reason: EndReason): Promise<HardwareFault>;
  get(name: string): Promise<HardwareFault>;
  list(selection?: FaultSelection): Promise<readonly HardwareFault[]>;
  /** Keeps a view of the faults until the signal aborts. */
  watch(
    onChange: (fault: HardwareFault, change: "added" | "updated" | "deleted") => void,
    signal: AbortSignal,
    options?: FaultWatchOptions,
  ): WatchedFaults;
  /** Any change of the status; for reapers. A known fault saves a look. */
  change(name: string, change: StatusChange, known?: HardwareFault): Promise<HardwareFault>;
}

/** More than this in one cluster is a mistake. */
const faultsMax = 20_000;
const renewalsAtOnce = 8;

/** Opens the book of faults of an installation. */
export function createFaultBook(options: FaultBookOptions): FaultBook {
  const { client, namespace, by } = options;
  const random = createRng(by).stream("fault book");
  const writer = { ...options, random };
  const change: FaultBook["change"] = (name, next, known) => writeStatus(writer, name, next, known);

  const list: FaultBook["list"] = async (selection = {}) => {
    const { items } = await listAll<HardwareFault | Error>(client, hardwareFaults, {
      namespace,
      ...selectorOf(selection),
      itemsMax: faultsMax,
      project: (object) => readable(() => parseHardwareFault(object)),
    });
    return items.filter(kept(options)).filter((fault) => isSelected(fault, selection));
  };

  return {
    change,
    list,
    create: (name, spec, labels = {}) => create(options, change, { name, spec, labels }),
    arm: (name, undo) => change(name, (status, stamp) => transitions.armed(status, undo, stamp)),
    amend: (name, undo) =>
      change(name, (status, stamp) => transitions.amended(status, undo, stamp)),
    injected: (name) => change(name, transitions.injected),
    failed: (name, message) =>
      change(name, (status, stamp) => transitions.failed(status, message, stamp)),
    sighted: (name, sighting) =>
      change(name, (status, stamp) => transitions.sighted(status, sighting, stamp)),
    end: (name, reason) =>
      change(name, (status, stamp) => transitions.ended(status, reason, stamp)),
    get: (name) => readFault(writer, name),
    renew: async (run, untilMs = Number.POSITIVE_INFINITY) =>
      renewAll(options, change, { run, untilMs, faults: await list({ run }) }),
    watch: (onChange, signal, more = {}) =>
      watchFaults({ ...options, ...more, random, signal, onChange }),
  };
}

async function create(
  { client, namespace }: FaultBookOptions,
  change: FaultBook["change"],
  fault: {
    readonly name: string;
    readonly spec: HardwareFaultSpec;
    readonly labels: Readonly<Record<string, string>>;
  },
): Promise<HardwareFault> {
  const { name, spec } = fault;
  checkFaultSpec(name, spec);
  const labels = { ...fault.labels, ...labelsOf(spec) };
  const metadata = { name, namespace, labels, finalizers: [undoFinalizer] };
  const object: HardwareFault = { metadata, spec };
  const created = await client.create<HardwareFault>(hardwareFaults, object);
  const leaseFromNow = (nowMs: number) => transitions.timeOf(transitions.leaseEndMs(spec, nowMs));
  return change(
    name,
    (status, { nowMs }, found) =>
      found.status === undefined ? { ...status, leaseUntil: leaseFromNow(nowMs) } : undefined,
    created,
  );
}

async function renewAll(
  { clock }: FaultBookOptions,
  change: FaultBook["change"],
  order: {
    readonly run: string;
    readonly untilMs: number;
    readonly faults: readonly HardwareFault[];
  },
): Promise<readonly HardwareFault[]> {
  const { run, untilMs, faults } = order;
  const renewed = await mapConcurrent(
    faults.filter((fault) => isRenewable(fault, clock.nowMs())),
    renewalsAtOnce,
    async (fault) => {
      const { name = "" } = fault.metadata;
      const next = await change(
        name,
        (status, stamp, found) =>
          isRenewable(found, stamp.nowMs)
            ? transitions.renewed(found.spec, status, untilMs, stamp)
            : undefined,
        fault,
      );
      return isRenewable(next, clock.nowMs()) ? [next] : [];
    },
  );
  const all = renewed.flat();
  const [first] = faults.toSorted(byLatestEnd);
  if (all.length === 0 && first !== undefined) throw allEnded(run, first);
  return all;
}

/** In force, ended by nobody, and its lease runs: past it everybody may be taking it back. */
function isRenewable(fault: HardwareFault, nowMs: number): boolean {
  const { status, metadata, spec } = fault;
  if (!isLive(fault) || status?.end !== undefined || metadata.deletionTimestamp !== undefined)
    return false;
  return (
    nowMs < Math.min(Date.parse(status?.leaseUntil ?? spec.expiresAt), Date.parse(spec.expiresAt))
  );
}

function byLatestEnd(one: HardwareFault, other: HardwareFault): number {
  const atOf = ({ status }: HardwareFault) => status?.end?.at ?? status?.leaseUntil ?? "";
  return atOf(one) < atOf(other) ? 1 : -1;
}

function allEnded(run: string, { metadata, status }: HardwareFault): TesseraError {
  const { end, state = "planned", leaseUntil } = status ?? {};
  const why =
    end === undefined ? `its lease ended at ${leaseUntil}` : `${end.reason}, by ${end.by}`;
  return new TesseraError("E_HW_REFUSED", {
    what: `Renewing the faults of run ${run}`,
    problem: `the fault ${metadata.name} has ended (${why}) and is ${state}`,
  });
}

function selectorOf({ run, node }: FaultSelection): { readonly labelSelector?: string } {
  const terms = [
    ...(run === undefined ? [] : [`${faultLabels.run}=${runLabelValue(run)}`]),
    ...(node === undefined ? [] : [`${faultLabels.node}=${nodeLabelValue(node)}`]),
  ];
  return terms.length === 0 ? {} : { labelSelector: terms.join(",") };
}

/** Labels are hashes for some; the object itself decides. */
function isSelected(fault: HardwareFault, { run, node, live }: FaultSelection): boolean {
  return (
    (run === undefined || fault.spec.run === run) &&
    (node === undefined || nodeOf(fault.spec.action) === node) &&
    (live !== true || isLive(fault))
  );
}

function readable(read: () => HardwareFault): HardwareFault | Error {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function kept({ onDamaged }: FaultBookOptions) {
  return (item: HardwareFault | Error): item is HardwareFault => {
    if (!(item instanceof Error)) return true;
    if (onDamaged === undefined) throw item;
    onDamaged(item);
    return false;
  };
}
