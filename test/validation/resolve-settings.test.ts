import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  clusterEntry,
  resolveClusterPlaces,
  resolveValidationSettings,
} from "../../src/validation/resolve-settings.ts";
import { failure, loadYaml } from "../platform/config/load.ts";
import { tempDir } from "../support/temp-dir.ts";

const yaml = `validation:
  policy: stale
  staleAfter: 36h
  limits: { inFlight: 7, cooldown: 1h, quietHours: ["22:00-06:00"] }
  resultUrl: https://tessera.example
  clusters:
    - { name: plain, kind: local }
    - name: other
      kind: simulated
      policy: random
      limits: { inFlight: 2, gpuHoursPerDay: 50 }
      act: { mode: "off" }
      resultUrl: https://other.example
      checks:
        - { name: storage-io, minutes: 3, fileSystem: /lustre, options: { size: 1 } }
`;
let values: Awaited<ReturnType<typeof loadYaml>>["values"];

beforeEach(async () => {
  ({ values } = await loadYaml(yaml));
});

describe("the settings of a cluster", () => {
  it("are the section's where its entry says nothing", () => {
    const settings = resolveValidationSettings(values, "plain", { available: ["host-compute"] });
    expect(settings).toMatchObject({
      policy: "stale",
      staleAfterDays: 1.5,
      guard: {
        inFlightMax: 7,
        cooldownMs: 3_600_000,
        perFileSystemMax: 3,
        gpuHoursPerDay: Number.POSITIVE_INFINITY,
        quietHours: [{ fromMinute: 1320, toMinute: 360 }],
      },
      act: { mode: "dry-run", label: true },
      checks: [{ name: "host-compute", fileSystem: "", options: {} }],
    });
    expect(resolveClusterPlaces(values, "plain").resultUrl).toBe("https://tessera.example");
  });

  it("are its own where its entry says something, and only there", () => {
    const settings = resolveValidationSettings(values, "other");
    expect(settings).toMatchObject({
      policy: "random",
      staleAfterDays: 1.5,
      guard: { inFlightMax: 2, cooldownMs: 3_600_000, gpuHoursPerDay: 50 },
      act: { mode: "off", label: true, cordon: true },
      checks: [{ name: "storage-io", minutes: 3, fileSystem: "/lustre", options: { size: 1 } }],
    });
    expect(resolveClusterPlaces(values, "other").resultUrl).toBe("https://other.example");
  });

  it("name every simulated check where none is named", async () => {
    const { values: defaults } = await loadYaml("");
    const { checks } = resolveValidationSettings(defaults, "simulated");
    expect(checks.map(({ name }) => name)).toEqual(["dl-unit", "nccl-loopback", "storage-io"]);
  });

  it("refuse a cluster and a check that do not exist", async () => {
    expect(() => clusterEntry(values, "othr")).toThrow(/no cluster named othr.*`other`/);
    const wrong = await loadYaml("validation: { checks: [{ name: dl-unti }] }\n");
    const error = await failure((async () => resolveValidationSettings(wrong.values, "local"))());
    expect(error.code).toBe("E_CHECK_UNKNOWN");
    expect(error.message).toContain("did you mean dl-unit?");
  });
});

describe("the checks of a cluster", () => {
  const namesOf = (config: typeof values, cluster: string) =>
    resolveValidationSettings(config, cluster).checks.map(({ name }) => name);

  it("leave out one that must be named, but not in a simulated cluster", async () => {
    const plain = await loadYaml(
      "validation: { clusters: [{ name: plain, kind: local }, { name: sim, kind: simulated }] }",
    );
    expect(namesOf(plain.values, "plain")).not.toContain("storage-io");
    expect(namesOf(plain.values, "sim")).toContain("storage-io");
    const named = await loadYaml("validation: { checks: [{ name: storage-io }] }");
    expect(namesOf(named.values, "local")).toEqual(["storage-io"]);
  });

  it("have the plug-ins, which travel with their runs as options", async () => {
    const folder = await tempDir();
    await writeFile(
      join(folder, "tessera.check.yaml"),
      "{ name: fans, title: Fans, command: [./fans], minutes: 3, figures: {} }",
    );
    const { values: config } = await loadYaml(
      `validation: { plugins: ["${folder}"], clusters: [{ name: plain, kind: local }] }`,
    );
    expect(namesOf(config, "plain")).toContain("host-compute");
    const fans = resolveValidationSettings(config, "plain").checks.at(-1);
    expect(fans).toMatchObject({ name: "fans", minutes: 3, options: { plugin: folder } });
  });
});
