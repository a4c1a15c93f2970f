import { readTextFile } from "../../../../platform/files/index.ts";
import type { TemplateSource } from "../settings.ts";

/** Reads a template's file. What is in it is checked when a cluster is made of it. @throws E_FILE_READ */
export async function readTemplate(path: string): Promise<TemplateSource> {
  return { file: path, text: await readTextFile(path, { sizeBytesMax: 1_048_576 }) };
}
