import { describe, expect, it } from "vitest";
import { readSettings } from "../../../src/hardware/vitest/index.ts";

const whole = {
  TESSERA_ENABLE_HW_FAULTS: "1",
  TESSERA_HW_NAMESPACE: "shop",
  TESSERA_HW_DEPLOYMENT: "server",
};

describe("the settings of hardware tests", () => {
  it("are a namespace and a deployment, reached through a port-forward", () => {
    expect(readSettings(whole)).toEqual({
      enabled: true,
      settings: { namespace: "shop", workload: { name: "server", kind: "deployment" } },
    });
  });

  it.each([
    ["the switch", "TESSERA_ENABLE_HW_FAULTS"],
    ["the namespace", "TESSERA_HW_NAMESPACE"],
    ["the deployment", "TESSERA_HW_DEPLOYMENT"],
  ])("are off without %s, and say what to set", (_, name) => {
    expect(readSettings({ ...whole, [name]: "" })).toMatchObject({
      enabled: false,
      reason: expect.stringContaining(name),
    });
  });

  it("are off for a switch that says no", () => {
    expect(readSettings({ ...whole, TESSERA_ENABLE_HW_FAULTS: "0" }).enabled).toBe(false);
    expect(readSettings({ ...whole, TESSERA_ENABLE_HW_FAULTS: "true" }).enabled).toBe(true);
  });

  it("know other kinds, and refuse what is none", () => {
    expect(readSettings({ ...whole, TESSERA_HW_KIND: "statefulset" })).toMatchObject({
      settings: { workload: { kind: "statefulset" } },
    });
    expect(readSettings({ ...whole, TESSERA_HW_KIND: "custom" })).toMatchObject({ enabled: false });
  });

  it("take an API with its token, and never without", () => {
    const url = "http://127.0.0.1:8080";
    const token = "t";
    expect(
      readSettings({ ...whole, TESSERA_FAULT_API_URL: url, TESSERA_FAULT_API_TOKEN: token }),
    ).toMatchObject({ settings: { api: { url, token } } });
    expect(readSettings({ ...whole, TESSERA_FAULT_API_URL: url })).toMatchObject({
      enabled: false,
    });
  });
});
