import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { isLoopback, proxyFromEnvironment } from "../http/proxy-choice.ts";
import { pemOf } from "./data-or-file.ts";
import { invalidKubeConfig } from "./invalid.ts";
import type { KubeConfig, KubeTls } from "./kube-config.ts";
import type { Sourced } from "./merged-kubeconfig.ts";
import type { RawCluster } from "./raw-kubeconfig.ts";

type ClusterPart = Pick<KubeConfig, "server" | "tls" | "compression" | "proxy">;

const proxyProtocols = new Set(["http:", "https:", "socks5:", "socks5h:"]);

/** What a cluster entry says about the way to the server. */
export async function resolveCluster(
  source: Sourced<RawCluster>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ClusterPart> {
  const server = serverOf(source);
  const tls = await tlsOf(source);
  const written = source.entry["proxy-url"];
  const proxy = written
    ? proxyUrl(written, source.file, `clusters[${source.name}].proxy-url`)
    : environmentProxy(server, env);
  return {
    server,
    tls,
    // Compressing for a server on this machine costs time and saves nothing.
    compression: source.entry["disable-compression"] !== true && !isLoopback(server.hostname),
    ...(proxy === undefined ? {} : { proxy }),
  };
}

/** The proxy the environment asks for, checked. */
export function environmentProxy(
  server: URL,
  env: Readonly<Record<string, string | undefined>>,
): URL | undefined {
  const written = proxyFromEnvironment(server, env);
  if (written === undefined) return undefined;
  // As curl and Go have it, a bare host:port means http.
  return proxyUrl(
    written.includes("://") ? written : `http://${written}`,
    "environment",
    "HTTPS_PROXY",
  );
}

function serverOf({ entry, file, name }: Sourced<RawCluster>): URL {
  const where = { file, field: `clusters[${name}].server` };
  if (!entry.server) throw invalidKubeConfig(where, "missing");
  if (!URL.canParse(entry.server)) throw invalidKubeConfig(where, "not an address");
  const server = new URL(entry.server);
  if (server.protocol !== "https:" && server.protocol !== "http:") {
    throw invalidKubeConfig(where, "not an https:// or http:// address");
  }
  return server;
}

async function tlsOf(source: Sourced<RawCluster>): Promise<KubeTls> {
  const { entry, file, name } = source;
  const ca = await pemOf(source, "clusters", "certificate-authority");
  const insecure = entry["insecure-skip-tls-verify"] === true;
  const serverName = entry["tls-server-name"] || undefined;
  if (insecure && ca !== undefined) {
    const where = { file, field: `clusters[${name}].insecure-skip-tls-verify` };
    throw invalidKubeConfig(where, "true beside a certificate-authority: keep one of the two");
  }
  if (ca !== undefined)
    assertTlsMaterial({ ca: ca.pem }, { file, field: `clusters[${name}].certificate-authority` });
  return {
    insecure,
    ...(ca === undefined ? {} : { caPem: ca.pem }),
    ...(serverName === undefined ? {} : { serverName }),
  };
}

/** Lets OpenSSL read certificates and keys now, so that a bad one names its field. */
export function assertTlsMaterial(
  material: { readonly ca: string } | { readonly cert: string; readonly key: string },
  where: { readonly file: string; readonly field: string },
): void {
  try {
    // An authority that cannot be read would be ignored without a word.
    if ("ca" in material) certificatesIn(material.ca);
    else createSecureContext(material);
  } catch {
    const problem = "OpenSSL cannot read the PEM, or certificate and key do not match";
    throw invalidKubeConfig(where, problem);
  }
}

function certificatesIn(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/g) ?? [pem];
  return blocks.map((block) => new X509Certificate(block));
}

function proxyUrl(written: string, file: string, field: string): URL {
  if (!URL.canParse(written)) throw invalidKubeConfig({ file, field }, "not an address");
  const url = new URL(written);
  if (!proxyProtocols.has(url.protocol)) {
    throw invalidKubeConfig({ file, field }, "not an http, https or socks5 address");
  }
  return url;
}
