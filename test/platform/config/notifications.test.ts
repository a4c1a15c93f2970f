import { describe, expect, test } from "vitest";
import { notificationsSection } from "../../../src/platform/config/sections/notifications.ts";

const { targets } = notificationsSection.items;
const hook = { name: "hook", kind: "webhook", url: "https://hooks.example/x" };

function problemsOf(target: object): string {
  const parsed = targets.schema.safeParse([target]);
  return parsed.success ? "" : parsed.error.issues.map(({ message }) => message).join("; ");
}

describe("a notification target", () => {
  test("nobody is told without one", () => {
    expect(targets.default).toEqual([]);
  });

  test.each([
    hook,
    { ...hook, url: undefined, urlFile: "/run/secrets/url" },
    { ...hook, secretFile: "/run/secrets/key", events: ["node.failed"], clusters: ["prod"] },
    { name: "chat", kind: "slack", urlEnv: "SLACK_URL", minSeverity: "critical" },
  ])("%j is taken", (target) => {
    expect(problemsOf(target)).toBe("");
  });

  test.each([
    [{ ...hook, url: undefined }, "exactly one of"],
    [{ ...hook, urlFile: "/x" }, "exactly one of"],
    [{ ...hook, kind: "slack" }, "is a secret for Slack"],
    [{ ...hook, url: "https://me:pw@hooks.example/" }, "holds a password"],
    [{ name: "chat", kind: "slack", urlFile: "/x", secretFile: "/y" }, "Slack does not look at it"],
    [{ ...hook, url: undefined, urlEnv: "TESSERA_X" }, "the name of a variable"],
    [{ ...hook, events: ["node.exploded"] }, "Invalid option"],
    [{ ...hook, name: "On Call" }, "lower-case"],
  ])("%j is refused", (target, problem) => {
    expect(problemsOf(target)).toContain(problem);
  });

  test("paths become absolute, and two of one name are refused", () => {
    const parsed = targets.schema.parse([{ ...hook, secretFile: "key" }]);
    const absolute = targets.path(parsed, (path) => `/etc/tessera/${path}`);
    expect(absolute).toMatchObject([{ secretFile: "/etc/tessera/key" }]);
    expect(targets.schema.safeParse([hook, hook]).success).toBe(false);
  });
});
