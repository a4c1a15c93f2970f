import type { Caller } from "../../../platform/http/index.ts";
import type { AccessCheck, FaultVerb } from "../access/index.ts";
import type { AuditNotes } from "../audit/index.ts";
import type { FaultApiPorts } from "../ports.ts";
import type { Injector } from "../service/index.ts";

/** What the routes of the fault API share. */
export interface RouteParts {
  readonly ports: FaultApiPorts;
  readonly injector: Injector;
  readonly access: AccessCheck;
  readonly notes: AuditNotes;
}

/** What a call is about, for the audit log. */
export interface Subject {
  readonly namespace: string;
  readonly run?: string;
  readonly fault?: string;
}

/**
 * Writes down what a call is about, then asks whether it may be.
 *
 * @throws TesseraError E_HW_FORBIDDEN
 */
export async function requireRight(
  { access, notes }: Pick<RouteParts, "access" | "notes">,
  caller: Caller,
  verb: FaultVerb,
  subject: Subject,
): Promise<void> {
  notes.add(caller, { verb, ...subject });
  await access.require(caller, { verb, namespace: subject.namespace });
}
