import { defineConfig } from "vitest/config";

const shared = {
  environment: "node",
  restoreMocks: true,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  setupFiles: ["test/support/seeded-properties.ts"],
};

const slurmSuites = [
  "test/cluster/slurm*.test.ts",
  "test/e2e/cluster/slurm/**/*.test.ts",
  "test/e2e/cluster/*/slurm*.test.ts",
];
const onClusters = {
  ...shared,
  testTimeout: 300_000,
  hookTimeout: 300_000,
  fileParallelism: false,
};

export default defineConfig({
  test: {
    // By default one core is left idle, which is half of a machine with two.
    maxWorkers: 2,
    reporters: ["default", "./test/support/skipped-reporter.ts"],
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["test/**/*.test.ts"],
          // The cluster's own unit tests need no cluster.
          exclude: [
            "test/cluster/*.test.ts",
            "test/cluster/!(unit)/**",
            "test/e2e/cluster/**",
            "test/e2e/browser/**",
          ],
        },
      },
      {
        test: {
          ...onClusters,
          name: "cluster",
          include: ["test/cluster/**/*.test.ts", "test/e2e/cluster/**/*.test.ts"],
          exclude: ["test/cluster/unit/**", ...slurmSuites],
          globalSetup: ["test/cluster/global-setup.ts"],
        },
      },
      {
        test: {
          ...onClusters,
          name: "slurm",
          include: slurmSuites,
          globalSetup: ["test/cluster/slurm/global-setup.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "browser",
          include: ["test/e2e/browser/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
