import { BlockList, isIP } from "node:net";
import type { NotificationTarget } from "../../platform/config/sections/notifications.ts";
import { readTextFile } from "../../platform/files/index.ts";
import { isLoopback } from "../../platform/http/index.ts";

/** Where a message goes, or why that cannot be known now. */
export type Address =
  | { readonly url: URL; readonly secret: string | undefined }
  | { readonly problem: string };

const sizeBytesMax = 16 * 1024;

// Addresses of the machine's own cloud: what answers there hands out credentials.
const neverAllowed = new BlockList();
neverAllowed.addSubnet("169.254.0.0", 16, "ipv4");
neverAllowed.addSubnet("fe80::", 10, "ipv6");
neverAllowed.addAddress("fd00:ec2::254", "ipv6");

/** Finds the address of a target. Files are read each time, so that a secret can be renewed. */
export async function findAddress(
  target: Pick<NotificationTarget, "url" | "urlFile" | "urlEnv" | "secretFile">,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Address> {
  const { urlFile, urlEnv, secretFile } = target;
  const text = urlFile === undefined ? fromSettings(target, env) : await readSecret(urlFile);
  if (text === undefined) {
    const place = urlFile === undefined ? `the variable ${urlEnv} is` : "the file of urlFile is";
    return { problem: `${place} empty or cannot be read, and it must hold the address` };
  }
  const checked = checkAddress(text);
  if ("problem" in checked || secretFile === undefined) return { secret: undefined, ...checked };
  const secret = await readSecret(secretFile);
  // A message without the signature that was asked for would be taken for a forgery, or be one.
  if (secret === undefined) {
    return { problem: "the secret in the file of secretFile is empty or cannot be read" };
  }
  return { ...checked, secret };
}

/** Whether an address may be written to. The problem never repeats it. */
export function checkAddress(text: string): { readonly url: URL } | { readonly problem: string } {
  if (!URL.canParse(text)) return { problem: "the address is no URL" };
  const url = new URL(text);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    return { problem: "the address must begin with https://, unless it is on this machine" };
  }
  if (isNeverAllowed(url.hostname)) {
    return { problem: "the address is one of the machine's own network, which is never told" };
  }
  if (url.username !== "" || url.password !== "") {
    return { problem: "the address holds a password, which a webhook's secretFile does better" };
  }
  return { url };
}

function fromSettings(
  { url, urlEnv }: Pick<NotificationTarget, "url" | "urlEnv">,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const text = (urlEnv === undefined ? url : env[urlEnv])?.trim();
  return text === "" ? undefined : text;
}

function isNeverAllowed(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(name);
  return family !== 0 && neverAllowed.check(name, family === 4 ? "ipv4" : "ipv6");
}

async function readSecret(path: string): Promise<string | undefined> {
  const text = await readTextFile(path, { sizeBytesMax }).catch(() => undefined);
  return text?.trim() || undefined;
}
