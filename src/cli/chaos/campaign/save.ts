import { join } from "node:path";
import {
  type CampaignPart,
  type Reproducer,
  type Reproducers,
  reproducerText,
  signaturesOf,
} from "../../../chaos/campaign/index.ts";
import { ensureDir, writeFileAtomic } from "../../../platform/files/index.ts";

/**
 * Saves all runs, for joining with other stretches, and each reproducer as an experiment. Reproducers
 * that come back know their files.
 *
 * @throws E_FILE_WRITE
 */
export async function saveCampaign(
  folder: string,
  part: CampaignPart,
  reproducers: Reproducers,
): Promise<Reproducers> {
  await ensureDir(folder);
  await writeFileAtomic(join(folder, "runs.json"), `${JSON.stringify(part)}\n`);
  const save = async (name: string, one: Reproducer, signature: string): Promise<Reproducer> => {
    const file = join(folder, `${name}.yaml`);
    await writeFileAtomic(file, reproducerText(one, signature));
    return { ...one, file };
  };
  const signatures = new Map<string, Reproducer>();
  for (const { signature, firstIndex } of signaturesOf(part.runs)) {
    const one = reproducers.signatures.get(signature);
    if (one !== undefined) {
      signatures.set(signature, await save(`run-${firstIndex}`, one, signature));
    }
  }
  const canaries = new Map(reproducers.canaries);
  for (const { defect, found } of part.canaries) {
    const one = reproducers.canaries.get(defect);
    if (one !== undefined && found !== null) {
      canaries.set(defect, await save(`canary-${defect}`, one, found.signature ?? ""));
    }
  }
  return { signatures, canaries };
}
