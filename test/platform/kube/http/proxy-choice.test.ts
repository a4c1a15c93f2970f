import { describe, expect, it } from "vitest";
import {
  isLoopback,
  proxyFromEnvironment,
} from "../../../../src/platform/kube/http/proxy-choice.ts";

const HTTPS_PROXY = "http://proxy:3128";
const target = new URL("https://api.prod.example.com:6443");

function chosen(noProxy: string, url = target): boolean {
  return proxyFromEnvironment(url, { HTTPS_PROXY, NO_PROXY: noProxy }) !== undefined;
}

describe("the proxy of the environment", () => {
  it("is chosen by the target's scheme, in capitals or not", () => {
    const env = { HTTPS_PROXY: "s", http_proxy: "p" };
    expect(proxyFromEnvironment(new URL("https://a"), env)).toBe("s");
    expect(proxyFromEnvironment(new URL("http://a"), env)).toBe("p");
    expect(proxyFromEnvironment(new URL("https://a"), {})).toBeUndefined();
  });

  it.each([
    "*",
    "api.prod.example.com",
    "example.com",
    ".example.com",
    "*.example.com",
    "API.prod.example.com:6443",
    "other, prod.example.com",
  ])("is not used for what NO_PROXY=%s names", (noProxy) => {
    expect(chosen(noProxy)).toBe(false);
  });

  it.each([
    "",
    "ample.com",
    "api.prod.example.com:443",
    ".api.prod.example.com",
    "example.com.org",
    "10.0.0.0/8",
  ])("is used in spite of NO_PROXY=%s", (noProxy) => {
    expect(chosen(noProxy)).toBe(true);
  });

  it.each([
    ["10.0.0.0/8", "https://10.2.3.4", false],
    ["10.0.0.0/8", "https://11.2.3.4", true],
    ["10.2.3.4", "https://10.2.3.4:6443", false],
    ["fd00::/8", "https://[fd12::1]", false],
    ["fd00::/8", "https://[fe12::1]", true],
    ["[fd12::1]:443", "https://[fd12::1]", false],
    ["fd12::1", "https://[fd12::1]", false],
    ["10.0.0.0/99", "https://10.2.3.4", true],
    ["10.0.0.0/x", "https://10.2.3.4", true],
  ])("NO_PROXY=%s for %s", (noProxy, url, expected) => {
    expect(chosen(noProxy, new URL(url))).toBe(expected);
  });

  it("is never used for this machine", () => {
    for (const url of ["https://localhost:1", "https://127.0.0.9", "https://[::1]"]) {
      expect(chosen("", new URL(url))).toBe(false);
    }
    expect(isLoopback("localhost.example.com")).toBe(false);
  });
});
