import { TesseraError } from "../../../platform/errors/index.ts";
import type { Caller } from "../../../platform/http/index.ts";
import { type HardwareFault, isLive } from "../../objects/index.ts";
import type { FaultVerb } from "../access/index.ts";
import { type RouteParts, requireRight } from "./route-parts.ts";

/** Which faults of all there are. */
export interface FaultFilter {
  readonly namespace?: string | undefined;
  readonly run?: string | undefined;
  readonly activeOnly: boolean;
}

/** More namespaces than this are asked for one by one by nobody. */
const namespacesMax = 64;

/**
 * The faults that a caller may see: all for whoever may read in the installation's namespace, else
 * those of the namespaces where they may.
 *
 * @throws TesseraError E_HW_FORBIDDEN for somebody who may read nowhere
 */
export async function visibleFaults(
  parts: RouteParts,
  caller: Caller,
  filter: FaultFilter,
): Promise<readonly HardwareFault[]> {
  const { ports, access, notes } = parts;
  const { namespace, run, activeOnly } = filter;
  if (namespace !== undefined) await requireRight(parts, caller, "read", { namespace });
  const found = await ports.book.list({
    ...(run === undefined ? {} : { run }),
    ...(activeOnly ? { live: true } : {}),
  });
  const meant = found.filter(
    (fault) =>
      (namespace === undefined || fault.spec.namespace === namespace) &&
      (!activeOnly || isLive(fault)),
  );
  if (namespace !== undefined) return meant;
  notes.add(caller, { verb: "read", ...(run === undefined ? {} : { run }) });
  if (await access.may(caller, { verb: "read", namespace: ports.namespace })) return meant;
  const allowed = await readable(parts, caller, meant);
  if (allowed.size === 0) throw forbidden(caller, ports.namespace);
  return meant.filter(({ spec }) => allowed.has(spec.namespace));
}

async function readable(
  { ports, access }: RouteParts,
  caller: Caller,
  faults: readonly HardwareFault[],
): Promise<ReadonlySet<string>> {
  const candidates = new Set([
    ...faults.map(({ spec }) => spec.namespace),
    ...ports.allowNamespaces,
  ]);
  const allowed = new Set<string>();
  for (const namespace of [...candidates].slice(0, namespacesMax)) {
    if (await access.may(caller, { verb: "read", namespace })) allowed.add(namespace);
  }
  return allowed;
}

function forbidden(caller: Caller, namespace: string): TesseraError {
  return new TesseraError(
    "E_HW_FORBIDDEN",
    { user: caller.name, verb: "read", namespace },
    { hint: "Name a namespace in which you may read them." },
  );
}

/**
 * One fault, for somebody who may do this with it.
 *
 * @throws TesseraError E_HW_FAULT_UNKNOWN, E_HW_FORBIDDEN
 */
export async function faultFor(
  parts: RouteParts,
  caller: Caller,
  verb: FaultVerb,
  id: string,
): Promise<HardwareFault> {
  parts.notes.add(caller, { verb, fault: id });
  const fault = await parts.ports.book.get(id);
  const { namespace, run } = fault.spec;
  await requireRight(parts, caller, verb, { namespace, run, fault: id });
  return fault;
}

/**
 * The faults of a run, also those that are over, for somebody who may do this with all in force.
 *
 * @throws TesseraError E_HW_FORBIDDEN
 */
export async function runFor(
  parts: RouteParts,
  caller: Caller,
  verb: FaultVerb,
  run: string,
): Promise<readonly HardwareFault[]> {
  parts.notes.add(caller, { verb, run });
  const faults = await parts.ports.book.list({ run });
  const live = faults.filter(isLive);
  // Of a run that is over the answer still tells something, so that is asked for too.
  const asked = live.length === 0 ? faults : live;
  for (const namespace of new Set(asked.map(({ spec }) => spec.namespace))) {
    await requireRight(parts, caller, verb, { namespace, run });
  }
  return faults;
}
