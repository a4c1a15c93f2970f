import { z } from "zod";
import { credentialsError } from "./file-credentials.ts";

/** The versions of the plug-in protocol that are spoken. v1alpha1 was removed from Kubernetes. */
export const execApiVersions = [
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
] as const;

export type ExecApiVersion = (typeof execApiVersions)[number];

/** What a plug-in answered, checked. */
export interface ExecCredential {
  readonly authorization?: string;
  readonly certPem?: string;
  readonly keyPem?: string;
  /** Unix time; absent when the credential does not expire. */
  readonly expiresAtMs?: number;
}

const output = z.looseObject({
  apiVersion: z.string(),
  kind: z.literal("ExecCredential"),
  status: z.looseObject({
    token: z.string().nullish(),
    clientCertificateData: z.string().nullish(),
    clientKeyData: z.string().nullish(),
    expirationTimestamp: z.string().nullish(),
  }),
});

/** Reads a plug-in's stdout. The errors name what is missing and never quote the output. */
export function parseExecCredential(
  stdout: string,
  expected: { readonly command: string; readonly apiVersion: string },
): ExecCredential {
  const { command } = expected;
  const parsed = output.safeParse(parseJson(stdout));
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join(".") || "the answer";
    throw credentialsError(
      `the plug-in ${command} gave no ExecCredential: ${field} is wrong or missing`,
    );
  }
  const { apiVersion, status } = parsed.data;
  if (apiVersion !== expected.apiVersion) {
    throw credentialsError(
      `the plug-in ${command} answered in another version than ${expected.apiVersion}`,
    );
  }
  const { token, clientCertificateData: certPem, clientKeyData: keyPem } = status;
  if (Boolean(certPem) !== Boolean(keyPem)) {
    throw credentialsError(
      `the plug-in ${command} gave a certificate without its key, or a key alone`,
    );
  }
  if (!token && !certPem) {
    throw credentialsError(`the plug-in ${command} gave neither a token nor a certificate`);
  }
  return {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(certPem && keyPem ? { certPem, keyPem } : {}),
    ...expiry(status.expirationTimestamp, command),
  };
}

function expiry(timestamp: string | null | undefined, command: string): { expiresAtMs?: number } {
  if (!timestamp) return {};
  const expiresAtMs = Date.parse(timestamp);
  if (Number.isNaN(expiresAtMs)) {
    throw credentialsError(`the plug-in ${command} gave an expirationTimestamp that is no time`);
  }
  return { expiresAtMs };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
