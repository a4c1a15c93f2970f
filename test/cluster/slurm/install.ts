import { clusterAvailability, completeShape, missingFor } from "../machine/availability.ts";
import { installPackages } from "../machine/install.ts";

/** Slurm is Debian's: where we may, we fetch it; else its suites say what they miss. */
export async function installSlurm(say: (text: string) => void): Promise<void> {
  const shape = completeShape({ kubernetes: false, slurm: 4, slurmAccounting: true });
  try {
    await installPackages(missingFor(shape), say);
  } catch (problem) {
    say(problem instanceof Error ? problem.message : String(problem));
  }
  const { missing, hint } = { missing: [], hint: "", ...clusterAvailability(shape) };
  if (missing.length === 0) return;
  say(`no Slurm on this machine, its suites are skipped; missing: ${missing.join(", ")}; ${hint}`);
}
