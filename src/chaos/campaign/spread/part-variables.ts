/** What a task that makes one range of a campaign is told, in a pod as in a job of Slurm. */
export const partVariables = {
  seed: "TESSERA_CAMPAIGN_SEED",
  ranges: "TESSERA_CAMPAIGN_RANGES",
  /** The campaign's folder on the shared file system; without it the result is printed. */
  folder: "TESSERA_CAMPAIGN_FOLDER",
} as const;
