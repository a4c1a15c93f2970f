import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect, type Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { socks5Connect, type TunnelTarget } from "./socks5.ts";

export interface TunnelOptions {
  readonly proxy: URL;
  readonly target: TunnelTarget;
  /** How to check an https proxy: by the cluster's authority, as kubectl does. */
  readonly tls: Pick<ConnectionOptions, "ca" | "rejectUnauthorized">;
  /** Ends a stuck attempt. */
  readonly signal: AbortSignal;
}

/**
 * Opens a connection through a proxy: CONNECT for http and https proxies, SOCKS5 for socks5. Errors
 * name the proxy's host, never its password.
 */
export function openTunnel(options: TunnelOptions): Promise<Socket> {
  return options.proxy.protocol.startsWith("socks")
    ? openSocksTunnel(options)
    : openConnectTunnel(options);
}

function openConnectTunnel({ proxy, target, tls, signal }: TunnelOptions): Promise<Socket> {
  const authority = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
  const login = loginOf(proxy);
  const request = (proxy.protocol === "https:" ? httpsRequest : httpRequest)({
    method: "CONNECT",
    host: hostOf(proxy),
    port: portOf(proxy),
    path: authority,
    agent: false,
    ...tls,
    signal,
    headers: {
      host: authority,
      ...(login === undefined ? {} : { "proxy-authorization": basic(login) }),
    },
  });
  return new Promise((resolve, reject) => {
    request.once("connect", (response, socket, head) => {
      if (response.statusCode === 200) {
        // Bytes that came with the answer belong to the tunnel.
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(proxyError(proxy, `answered CONNECT with ${response.statusCode}`));
    });
    request.once("response", (response) => {
      response.destroy();
      reject(proxyError(proxy, `answered CONNECT with ${response.statusCode}`));
    });
    request.once("error", (error) => reject(proxyError(proxy, error.message)));
    request.end();
  });
}

async function openSocksTunnel({ proxy, target, signal }: TunnelOptions): Promise<Socket> {
  const socket = connect({ host: hostOf(proxy), port: portOf(proxy) });
  const onAbort = () => socket.destroy(new Error("no answer in time"));
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await socks5Connect(socket, target, loginOf(proxy));
    return socket;
  } catch (error) {
    socket.destroy();
    throw proxyError(proxy, error instanceof Error ? error.message : String(error));
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function proxyError(proxy: URL, problem: string): Error {
  return new Error(`the proxy ${proxy.protocol}//${proxy.host}: ${problem}`);
}

function loginOf(proxy: URL): { username: string; password: string } | undefined {
  if (proxy.username === "") return undefined;
  return {
    username: decodeURIComponent(proxy.username),
    password: decodeURIComponent(proxy.password),
  };
}

function basic(login: { readonly username: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${login.username}:${login.password}`).toString("base64")}`;
}

function hostOf(proxy: URL): string {
  return proxy.hostname.replace(/^\[|\]$/g, "");
}

function portOf(proxy: URL): number {
  if (proxy.port !== "") return Number(proxy.port);
  if (proxy.protocol === "http:") return 80;
  return proxy.protocol === "https:" ? 443 : 1080;
}
