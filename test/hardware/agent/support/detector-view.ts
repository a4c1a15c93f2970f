import { openKernelLogWriter } from "../../../../src/hardware/kernel-log/index.ts";
import { marks, ownCondition } from "../../../../src/hardware/objects/index.ts";
import type { FakeHardware } from "./fake-hardware.ts";

export const conditionOn = ({ node: read }: FakeHardware) =>
  read().status?.conditions?.find(({ type }) => type === ownCondition);
export const isCordoned = ({ node: read }: FakeHardware) => read().spec?.unschedulable === true;
export const markOn = ({ node: read }: FakeHardware) =>
  read().metadata.annotations?.[marks.cordonedBy];
export const sightingsOf = ({ fault }: FakeHardware, name: string) =>
  fault(name).status?.sightings?.map(({ by, what }) => `${by} ${what}`) ?? [];
/** How a fault that somebody took back says so. */
export const end = { reason: "requested" as const, at: new Date(0).toISOString(), by: "fault-api" };

/** Writes lines as a program would. */
export async function write(path: string, ...texts: readonly string[]): Promise<void> {
  const writer = await openKernelLogWriter({ path, allowDevice: false });
  for (const text of texts) await writer.write(text);
  await writer.close();
}
