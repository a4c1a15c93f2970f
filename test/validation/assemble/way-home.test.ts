import { expect, it } from "vitest";
import { wayHome } from "../../../src/validation/assemble/way-home.ts";
import type { ClusterEntry } from "../../../src/validation/resolve-settings.ts";

const nowhere = { resultsDir: "/shared/results", resultUrl: undefined, template: undefined };
const dataDir = "/var/lib/tessera";
const loopback = "http://127.0.0.1:7070";
const slurm: ClusterEntry = { name: "gpu-slurm", kind: "slurm" };
const pods: ClusterEntry = { name: "gpu-prod", kind: "kubernetes", image: "tessera:0.1" };
const local: ClusterEntry = { name: "here", kind: "local" };

it("jobs of Slurm write files only, where the server's address means their own machine to them", () => {
  expect(wayHome(slurm, { places: nowhere, dataDir, ownUrl: loopback })).toBeUndefined();
  expect(
    wayHome(slurm, { places: nowhere, dataDir, ownUrl: "http://0.0.0.0:7070" }),
  ).toBeUndefined();
  expect(wayHome(slurm, { places: nowhere, dataDir, ownUrl: undefined })).toBeUndefined();
});

it("jobs of Slurm post as well, where there is an address that they reach", () => {
  const ownUrl = "http://10.0.0.5:7070/";
  expect(wayHome(slurm, { places: nowhere, dataDir, ownUrl })).toBe("http://10.0.0.5:7070");
  const places = { ...nowhere, resultUrl: "http://head:7070/" };
  expect(wayHome(slurm, { places, dataDir, ownUrl: loopback })).toBe("http://head:7070");
});

it("jobs of Slurm need a folder that somebody chose, or an address: the default is this machine's own", () => {
  const places = { ...nowhere, resultsDir: `${dataDir}/continuous_validation` };
  const at = { places, dataDir, ownUrl: loopback };
  expect(() => wayHome(slurm, at)).toThrow(
    expect.objectContaining({
      code: "E_CONFIG_INVALID",
      message: expect.stringMatching(/gpu-slurm: resultsDir must say .* resultUrl/),
    }),
  );
  expect(wayHome({ ...slurm, resultsDir: places.resultsDir }, at)).toBeUndefined();
  const resultUrl = "http://head:7070";
  expect(wayHome(slurm, { ...at, places: { ...places, resultUrl } })).toBe(resultUrl);
  expect(wayHome(local, at)).toBe(loopback);
});

it("pods without a volume need an address; with one they do not", () => {
  const at = { places: nowhere, dataDir, ownUrl: loopback };
  expect(() => wayHome(pods, at)).toThrow(expect.objectContaining({ code: "E_NO_WAY_HOME" }));
  expect(wayHome({ ...pods, results: { pvc: "results" } }, at)).toBeUndefined();
});

it("jobs of this machine reach its own server", () => {
  expect(wayHome(local, { places: nowhere, dataDir, ownUrl: loopback })).toBe(loopback);
});
