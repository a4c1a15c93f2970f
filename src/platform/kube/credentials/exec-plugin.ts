import { messageOf } from "../../errors/index.ts";
import { redact } from "../../log/redact-text.ts";
import { runProcess } from "../../process/index.ts";
import type { Clock } from "../../time/clock.ts";
import type { Credentials } from "./credentials.ts";
import {
  type ExecApiVersion,
  type ExecCredential,
  parseExecCredential,
} from "./exec-credential.ts";
import { credentialsError } from "./file-credentials.ts";

export interface ExecPluginOptions {
  /** The program: an absolute path, or a name to look up in PATH. */
  readonly command: string;
  readonly args: readonly string[];
  readonly apiVersion: ExecApiVersion;
  /** The whole environment of the plug-in. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The cluster as the plug-in may want to know it; only with provideClusterInfo. */
  readonly clusterInfo?: Readonly<Record<string, unknown>>;
  /** The kubeconfig's advice for when the program is not there. */
  readonly installHint?: string;
  readonly clock: Clock;
  /** How long the plug-in may take. @default 30_000 */
  readonly timeoutMs?: number;
}

/** A credential that expires while the request is on its way is as good as expired. */
const expiryLeewayMs = 5_000;
const outputBytesMax = 1024 * 1024;

/**
 * Credentials from a plug-in program (client.authentication.k8s.io). Its answer is kept until it
 * expires or the server refuses it. Callers that ask at the same time share one run.
 */
export function execPluginCredentials(options: ExecPluginOptions): Credentials {
  const { clock, command } = options;
  let cached: ExecCredential | undefined;
  let running: Promise<ExecCredential> | undefined;
  const run = async () => {
    try {
      cached = await runPlugin(options);
      return cached;
    } finally {
      running = undefined;
    }
  };
  return {
    kind: `plug-in ${command}`,
    get() {
      const usable =
        cached !== undefined && clock.nowMs() < (cached.expiresAtMs ?? Infinity) - expiryLeewayMs;
      if (usable && cached !== undefined) return Promise.resolve(cached);
      running ??= run();
      return running;
    },
    refresh() {
      cached = undefined;
      return true;
    },
  };
}

async function runPlugin(options: ExecPluginOptions): Promise<ExecCredential> {
  const { command, installHint } = options;
  const timeoutMs = options.timeoutMs ?? 30_000;
  const advice = installHint === undefined ? {} : { hint: installHint };
  const result = await runProcess(command, [...options.args], {
    timeoutMs,
    outputBytesMax,
    envInherit: [],
    env: { ...options.env, KUBERNETES_EXEC_INFO: JSON.stringify(execInfo(options)) },
    clock: options.clock,
  }).catch((error: unknown) => {
    throw credentialsError(`the plug-in does not start (${messageOf(error)})`, advice);
  });
  if (result.timedOut) {
    throw credentialsError(`the plug-in ${command} did not answer within ${timeoutMs} ms`);
  }
  if (result.truncated) {
    throw credentialsError(`the plug-in ${command} printed more than ${outputBytesMax} bytes`);
  }
  if (result.exitCode !== 0) {
    const how =
      result.exitCode === null ? `by ${result.signal}` : `with exit code ${result.exitCode}`;
    const said = lastLine(result.stderr);
    throw credentialsError(
      `the plug-in ${command} ended ${how}${said === "" ? "" : `, saying: ${said}`}`,
      advice,
    );
  }
  return parseExecCredential(result.stdout, options);
}

function execInfo(options: ExecPluginOptions): Record<string, unknown> {
  const { clusterInfo } = options;
  return {
    apiVersion: options.apiVersion,
    kind: "ExecCredential",
    spec: { interactive: false, ...(clusterInfo === undefined ? {} : { cluster: clusterInfo }) },
  };
}

/** The last line of what the plug-in complained about, without what looks like a secret. */
function lastLine(stderr: string): string {
  const line = stderr.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return redact(line).slice(0, 200);
}
