import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One request as the API server's own audit log has it. */
export interface ServerRequest {
  /** `patch nodes/status`, as rights are written; `get configmaps circuit-breaker` where a name counts. */
  readonly right: string;
  readonly name: string;
  readonly user: string;
  readonly status: number;
}

interface AuditEvent {
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly apiGroup?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code: number };
}

/** An audit log of the API server: its arguments, and what is in it. */
export function apiServerAudit(folder: string): {
  readonly args: readonly string[];
  read(): readonly ServerRequest[];
} {
  const [policy, log] = [join(folder, "audit-policy.json"), join(folder, "audit.log")];
  const rules = [{ level: "Metadata", userGroups: ["system:serviceaccounts"] }, { level: "None" }];
  const text = JSON.stringify({
    apiVersion: "audit.k8s.io/v1",
    kind: "Policy",
    omitStages: ["RequestReceived"],
    rules,
  });
  writeFileSync(policy, text);
  return {
    args: [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`, "--audit-log-mode=blocking"],
    read: () => {
      const lines = readFileSync(log, "utf8").split("\n");
      return lines.filter((line) => line !== "").flatMap((line) => requestOf(line));
    },
  };
}

function requestOf(line: string): readonly ServerRequest[] {
  const { user, verb, objectRef, responseStatus } = JSON.parse(line) as AuditEvent;
  // Questions about the API server itself, such as its version, are about no object.
  if (objectRef?.resource === undefined) return [];
  const { resource, subresource, apiGroup, name = "" } = objectRef;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const right = `${verb} ${apiGroup === undefined ? full : `${full}.${apiGroup}`}`;
  return [{ right, name, user: user.username, status: responseStatus?.code ?? 0 }];
}
