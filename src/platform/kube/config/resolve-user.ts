import type { Clock } from "../../time/clock.ts";
import {
  type Credentials,
  combineCredentials,
  fixedCredentials,
} from "../credentials/credentials.ts";
import { type ExecApiVersion, execApiVersions } from "../credentials/exec-credential.ts";
import { execPluginCredentials } from "../credentials/exec-plugin.ts";
import { certificateCredentials, tokenFileCredentials } from "../credentials/file-credentials.ts";
import { codeOf, pemOf, readSmallFile } from "./data-or-file.ts";
import { invalidKubeConfig } from "./invalid.ts";
import { pathInKubeConfig, type Sourced } from "./merged-kubeconfig.ts";
import type { RawExec, RawUser } from "./raw-kubeconfig.ts";
import { assertTlsMaterial } from "./resolve-cluster.ts";

export interface ResolveUserContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** The cluster as a plug-in with provideClusterInfo sees it. */
  readonly clusterInfo: Readonly<Record<string, unknown>>;
}

/** The credentials of a user entry; everything wrong with it is found here, before any request. */
export async function resolveUser(
  source: Sourced<RawUser>,
  context: ResolveUserContext,
): Promise<Credentials> {
  const { entry, file, name } = source;
  const field = `users[${name}]`;
  if (entry["auth-provider"]) {
    const problem =
      "auth-provider was removed from Kubernetes; use the cloud's exec plug-in instead";
    throw invalidKubeConfig({ file, field: `${field}.auth-provider` }, problem);
  }
  const methods = [
    ...(entry.token || entry.tokenFile ? ["token"] : []),
    ...(entry.username ? ["username"] : []),
    ...(entry.exec ? ["exec"] : []),
  ];
  if (methods.length > 1) {
    throw invalidKubeConfig({ file, field }, `more than one way to log in: ${methods.join(", ")}`);
  }
  const certificate = await certificateOf(source);
  const login = entry.exec
    ? execOf(source, entry.exec, context)
    : await tokenOrPassword(source, context.clock);
  return combineCredentials([certificate, login].filter((each) => each !== undefined));
}

/** The headers that make the server treat us as somebody else (`as`, `as-groups`, ...). */
export function impersonationHeaders(user: RawUser): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  if (user.as) headers["Impersonate-User"] = user.as;
  if (user["as-uid"]) headers["Impersonate-Uid"] = user["as-uid"];
  if (user["as-groups"]?.length) headers["Impersonate-Group"] = user["as-groups"];
  for (const [key, values] of Object.entries(user["as-user-extra"] ?? {})) {
    headers[`Impersonate-Extra-${encodeURIComponent(key)}`] = values;
  }
  return headers;
}

async function certificateOf(source: Sourced<RawUser>): Promise<Credentials | undefined> {
  const { file, name } = source;
  const cert = await pemOf(source, "users", "client-certificate");
  const key = await pemOf(source, "users", "client-key");
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    const missing = cert === undefined ? "client-certificate" : "client-key";
    const problem = `missing beside ${cert === undefined ? "client-key" : "client-certificate"}`;
    throw invalidKubeConfig({ file, field: `users[${name}].${missing}` }, problem);
  }
  assertTlsMaterial(
    { cert: cert.pem, key: key.pem },
    { file, field: `users[${name}].client-certificate` },
  );
  return certificateCredentials({ cert, key });
}

async function tokenOrPassword(
  { entry, file, name }: Sourced<RawUser>,
  clock: Clock,
): Promise<Credentials | undefined> {
  if (entry.tokenFile) {
    const path = pathInKubeConfig(file, entry.tokenFile);
    await readSmallFile(path).catch((error: unknown) => {
      const where = { file, field: `users[${name}].tokenFile` };
      throw invalidKubeConfig(where, `cannot read ${path} (${codeOf(error)})`);
    });
    return tokenFileCredentials({ path, clock });
  }
  if (entry.token) {
    assertHeaderValue(entry.token, { file, field: `users[${name}].token` });
    return fixedCredentials("token", { authorization: `Bearer ${entry.token}` });
  }
  if (!entry.username) return undefined;
  const pair = Buffer.from(`${entry.username}:${entry.password ?? ""}`).toString("base64");
  return fixedCredentials("password", { authorization: `Basic ${pair}` });
}

/** A token with a line break would otherwise fail inside Node, which quotes nothing but says less. */
function assertHeaderValue(value: string, where: { file: string; field: string }): void {
  if (!/^[\x21-\x7e]+$/.test(value)) throw invalidKubeConfig(where, "holds spaces or line breaks");
}

function execOf(
  { file, name }: Sourced<RawUser>,
  exec: RawExec,
  context: ResolveUserContext,
): Credentials {
  const field = `users[${name}].exec`;
  if (!isSpoken(exec.apiVersion)) {
    const problem = `not one of ${execApiVersions.join(", ")}; update the plug-in's configuration`;
    throw invalidKubeConfig({ file, field: `${field}.apiVersion` }, problem);
  }
  if (exec.interactiveMode === "Always") {
    const problem = "Always: this plug-in wants to ask questions and Tessera has no one to ask";
    throw invalidKubeConfig({ file, field: `${field}.interactiveMode` }, problem);
  }
  const added = Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value]));
  return execPluginCredentials({
    // A bare name is looked up in PATH; anything with a slash is relative to the kubeconfig.
    command: exec.command.includes("/") ? pathInKubeConfig(file, exec.command) : exec.command,
    args: exec.args ?? [],
    apiVersion: exec.apiVersion,
    env: { ...context.env, ...added },
    clock: context.clock,
    ...(exec.provideClusterInfo === true ? { clusterInfo: context.clusterInfo } : {}),
    ...(exec.installHint ? { installHint: exec.installHint } : {}),
  });
}

function isSpoken(apiVersion: string): apiVersion is ExecApiVersion {
  return (execApiVersions as readonly string[]).includes(apiVersion);
}
