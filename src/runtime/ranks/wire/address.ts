/** Where something listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const portMax = 65_535;

/** `127.0.0.1:41234`, `host.name:9` or `[::1]:9`; undefined when the text is none of these. */
export function parseAddress(text: string): Address | undefined {
  const [, bracketed, plain, portText] =
    /^(?:\[([0-9a-fA-F:.%\w]+)\]|([^\s:[\]/]+)):(\d{1,5})$/.exec(text.trim()) ?? [];
  const host = bracketed ?? plain;
  const port = Number(portText);
  return host === undefined || port < 1 || port > portMax ? undefined : { host, port };
}

/** The text that `parseAddress` reads. */
export function formatAddress({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
