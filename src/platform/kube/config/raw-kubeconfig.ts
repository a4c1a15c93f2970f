import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { isYamlNestedTooDeeply, yamlTooDeep } from "../../files/index.ts";
import { invalidKubeConfig } from "./invalid.ts";

const text = z.string().nullish();
const flag = z.boolean().nullish();
const texts = z.array(z.string()).nullish();

const extension = z.looseObject({ name: z.string(), extension: z.unknown() });

const cluster = z.looseObject({
  server: text,
  "certificate-authority": text,
  "certificate-authority-data": text,
  "insecure-skip-tls-verify": flag,
  "tls-server-name": text,
  "proxy-url": text,
  "disable-compression": flag,
  extensions: z.array(extension).nullish(),
});

const exec = z.looseObject({
  apiVersion: z.string(),
  command: z.string().min(1),
  args: texts,
  env: z.array(z.looseObject({ name: z.string(), value: z.string() })).nullish(),
  installHint: text,
  provideClusterInfo: flag,
  interactiveMode: text,
});

const user = z.looseObject({
  "client-certificate": text,
  "client-certificate-data": text,
  "client-key": text,
  "client-key-data": text,
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  as: text,
  "as-uid": text,
  "as-groups": texts,
  "as-user-extra": z.record(z.string(), z.array(z.string())).nullish(),
  exec: exec.nullish(),
  "auth-provider": z.looseObject({ name: text }).nullish(),
});

const context = z.looseObject({ cluster: text, user: text, namespace: text });

// Unknown fields pass: kubeconfigs are written by many tools, each with fields of its own.
const kubeConfigFile = z.looseObject({
  "current-context": text,
  clusters: z.array(z.looseObject({ name: z.string(), cluster: cluster.nullish() })).nullish(),
  users: z.array(z.looseObject({ name: z.string(), user: user.nullish() })).nullish(),
  contexts: z.array(z.looseObject({ name: z.string(), context: context.nullish() })).nullish(),
});

export type RawCluster = z.infer<typeof cluster>;
export type RawExec = z.infer<typeof exec>;
export type RawUser = z.infer<typeof user>;
export type RawContext = z.infer<typeof context>;
export type RawKubeConfig = z.infer<typeof kubeConfigFile>;

/**
 * Reads one kubeconfig as text (YAML, and so JSON too). Throws E_KUBECONFIG_INVALID naming the line
 * or the field. An empty file is an empty kubeconfig, as kubectl has it.
 */
export function parseKubeConfig(content: string, file: string): RawKubeConfig {
  if (isYamlNestedTooDeeply(content)) {
    throw invalidKubeConfig({ file, field: "document" }, yamlTooDeep);
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(content, { lineCounter, prettyErrors: false });
  const syntaxError = document.errors[0];
  if (syntaxError !== undefined) {
    const { line, col } = lineCounter.linePos(syntaxError.pos[0]);
    // The parser's own message may quote the file; its code does not.
    const what = syntaxError.code.toLowerCase().replaceAll("_", " ");
    throw invalidKubeConfig(
      { file, field: `line ${line}` },
      `not valid YAML at column ${col} (${what})`,
    );
  }
  const parsed = kubeConfigFile.safeParse(toPlain(document, file) ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = fieldName(issue?.path ?? []);
  throw invalidKubeConfig({ file, field }, lowerFirst(issue?.message ?? "not understood"));
}

function toPlain(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw invalidKubeConfig({ file, field: "document" }, "aliases cannot be resolved");
  }
}

function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "document";
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
