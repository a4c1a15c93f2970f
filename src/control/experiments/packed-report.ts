import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

/** Pages are mostly drawings, which shrink to a tenth; text is the one form that both engines keep alike. */
export async function packReport(html: string): Promise<string> {
  return (await promisify(gzip)(html)).toString("base64");
}

export async function unpackReport(packed: string): Promise<string> {
  return (await promisify(gunzip)(Buffer.from(packed, "base64"))).toString("utf8");
}
