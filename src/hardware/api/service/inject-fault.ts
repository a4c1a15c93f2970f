import { Semaphore } from "../../../platform/concurrency/index.ts";
import { isTesseraError, messageOf, TesseraError } from "../../../platform/errors/index.ts";
import { kubeFailureOf } from "../../../platform/kube/index.ts";
import { sleep } from "../../../platform/time/index.ts";
import type { HardwareFault } from "../../objects/index.ts";
import type { FaultRequest } from "../fault-request.ts";
import { requestHash, requestLabel, specOf } from "../fault-spec.ts";
import type { FaultApiPorts, Judgement } from "../ports.ts";
import { carryOut, isOurs } from "./carry-out.ts";
import { checkXids } from "./check-xids.ts";
import { KeyedLock } from "./keyed-lock.ts";
import { prepareUndo } from "./prepare-undo.ts";
import { takeBackAgain } from "./take-back-again.ts";

/** How long a caller who wants to wait does so. */
const waitMs = 10_000;
const lookEveryMs = 200;

/** A fault that was asked for. */
export interface Injected {
  readonly fault: HardwareFault;
  /** False: the same request had made it before. */
  readonly created: boolean;
}

/** Makes faults and says what they would do. */
export interface Injector {
  /** @throws TesseraError E_XID_UNKNOWN */
  plan(request: FaultRequest, requestedBy: string): Promise<Judgement>;
  /**
   * Judges, writes down, arms, and does what is ours to do. The same request with the same name
   * again gives the same fault.
   *
   * @throws TesseraError E_XID_UNKNOWN, E_HW_REFUSED, E_HW_WORKLOAD, E_HW_FAILED
   */
  inject(request: FaultRequest, requestedBy: string): Promise<Injected>;
  /** Goes on with an armed fault of ours that nobody works on: its maker may have died. */
  resume(name: string): Promise<void>;
  /** Takes back what came of a fault of ours after its end, once nobody here works on it. */
  lookAgain(fault: HardwareFault): Promise<void>;
}

export function createInjector(ports: FaultApiPorts): Injector {
  // Limits count what is there: of two faults at the same time, the second must see the first.
  const admission = new Semaphore({ permits: 1, waitersMax: 1000 });
  const names = new KeyedLock();
  const specFor = (request: FaultRequest, name: string, requestedBy: string) =>
    specOf(request, { name, requestedBy, nowMs: ports.clock.nowMs(), random: ports.random });
  return {
    plan: async (request, requestedBy) => {
      checkXids(request.action);
      const name = request.name ?? ports.newFaultName(request.action.kind);
      return ports.judge.judge(specFor(request, name, requestedBy));
    },
    inject: async (request, requestedBy) => {
      checkXids(request.action);
      const name = request.name ?? ports.newFaultName(request.action.kind);
      const made = await names.run(name, async () => {
        const known = await findSame(ports, { request, name, requestedBy });
        const planned =
          known ??
          (await admission.run(() =>
            admit(ports, name, specFor(request, name, requestedBy), {
              [requestLabel]: requestHash(request, requestedBy),
            }),
          ));
        return { fault: await bringAbout(ports, planned), created: known === undefined };
      });
      if (request.wait !== true) return made;
      return { ...made, fault: await untilCarriedOut(ports, made.fault) };
    },
    resume: (name) =>
      names.run(name, async () => {
        const fault = await ports.book.get(name);
        const { state, end } = fault.status ?? {};
        if (state === "armed" && end === undefined && isOurs(fault)) await carryOut(ports, fault);
      }),
    lookAgain: (fault) => names.run(fault.metadata.name ?? "", () => takeBackAgain(ports, fault)),
  };
}

/** The fault that this very request has made before. */
async function findSame(
  { book }: FaultApiPorts,
  asked: { readonly request: FaultRequest; readonly name: string; readonly requestedBy: string },
): Promise<HardwareFault | undefined> {
  const { request, name, requestedBy } = asked;
  if (request.name === undefined) return undefined;
  const found = await book.get(name).catch((error: unknown) => {
    if (isTesseraError(error) && error.code === "E_HW_FAULT_UNKNOWN") return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  if (found.metadata.labels?.[requestLabel] === requestHash(request, requestedBy)) return found;
  throw nameTaken(name);
}

function nameTaken(name: string): TesseraError {
  const problem = "there is another one of that name, made by a different request";
  return new TesseraError("E_HW_REFUSED", { what: `Fault ${name}`, problem });
}

async function admit(
  ports: FaultApiPorts,
  name: string,
  spec: HardwareFault["spec"],
  labels: Readonly<Record<string, string>>,
): Promise<HardwareFault> {
  await checkRun(ports, name, spec);
  const { findings } = await ports.judge.judge(spec);
  const against = findings.filter(({ verdict }) => verdict === "refuse");
  if (against.length > 0) {
    throw new TesseraError("E_HW_REFUSED", {
      what: `Fault ${name}`,
      problem: against
        .map(({ rule, reason }) => `${rule}: ${reason.replace(/\.$/, "")}`)
        .join("; "),
      shown: { findings },
    });
  }
  try {
    return await ports.book.create(name, spec, labels);
  } catch (error) {
    if (kubeFailureOf(error)?.reason === "AlreadyExists") throw nameTaken(name);
    throw error;
  }
}

/**
 * A run is one caller's in one namespace, also when its faults are over: the guard lets faults of
 * the same run meet, and they are renewed and taken back together.
 */
async function checkRun(
  { book }: FaultApiPorts,
  name: string,
  { run, namespace, requestedBy }: HardwareFault["spec"],
): Promise<void> {
  const others = (await book.list({ run })).filter(
    ({ spec }) => spec.namespace !== namespace || spec.requestedBy !== requestedBy,
  );
  if (others.length === 0) return;
  const problem = `the run ${run} is somebody else's, or of another namespace`;
  throw new TesseraError("E_HW_REFUSED", { what: `Fault ${name}`, problem });
}

/** From `planned` to as far as we can bring it; a fault that is further stays as it is. */
async function bringAbout(ports: FaultApiPorts, planned: HardwareFault): Promise<HardwareFault> {
  const { name = "" } = planned.metadata;
  let fault = planned;
  if ((fault.status?.state ?? "planned") === "planned") fault = await arm(ports, name, fault);
  if (fault.status?.state === "armed" && isOurs(fault)) fault = await carryOut(ports, fault);
  return fault;
}

async function arm(
  ports: FaultApiPorts,
  name: string,
  { spec }: HardwareFault,
): Promise<HardwareFault> {
  try {
    return await ports.book.arm(name, await prepareUndo(ports, spec.action, name));
  } catch (error) {
    // Nothing was changed yet, so there is nothing to take back.
    await ports.book.failed(name, messageOf(error)).catch((err: unknown) => {
      ports.log.error({ err, fault: name }, "a fault that came to nothing could not be marked");
    });
    throw error;
  }
}

/**
 * The fault once its agent has carried it out, or as it is when the wait is over.
 *
 * @throws TesseraError E_HW_FAILED when the agent could not
 */
async function untilCarriedOut(ports: FaultApiPorts, fault: HardwareFault): Promise<HardwareFault> {
  const { clock, book } = ports;
  const { name = "" } = fault.metadata;
  const endsMs = clock.monotonicMs() + waitMs;
  let latest = fault;
  while (isPending(latest)) {
    if (clock.monotonicMs() >= endsMs) return latest;
    await sleep(clock, lookEveryMs);
    latest = await book.get(name);
  }
  const { state, end } = latest.status ?? {};
  if (state !== "failed" && end?.reason !== "not-carried-out") return latest;
  const problem = (latest.status?.message ?? "its agent did not say why").replace(/\.$/, "");
  throw new TesseraError("E_HW_FAILED", { what: `Fault ${name}`, problem });
}

function isPending({ status }: HardwareFault): boolean {
  const { state = "planned", end } = status ?? {};
  return end === undefined && (state === "planned" || state === "armed");
}
