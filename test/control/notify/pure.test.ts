import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkAddress, findAddress } from "../../../src/control/notify/address.ts";
import { backoffMs, retryAfterMs } from "../../../src/control/notify/backoff.ts";
import { groupNews, newsPerMessageMax } from "../../../src/control/notify/group-news.ts";
import { itemOf, messageOf } from "../../../src/control/notify/message.ts";
import { isWanted, type News, newsId } from "../../../src/control/notify/news.ts";
import { nodeStanding } from "../../../src/control/notify/node-standing.ts";
import { slackBody } from "../../../src/control/notify/slack.ts";
import { verdicts } from "../../../src/platform/words.ts";

const failure: News = {
  event: "node.failed",
  occurrence: ["prod", "n1", "run-1"],
  provenance: "measured",
  cluster: "prod",
  node: "n1",
  title: "Node n1 of prod failed",
  reason: "gemm: 412 TFLOP/s is below 540 TFLOP/s.",
  atMs: 1_700_000_000_000,
  path: "/nodes/prod/n1",
};

describe("grouping", () => {
  const rows = fc
    .integer({ min: 0, max: 500 })
    .map((length) => Array.from({ length }, (_, seq) => ({ seq, id: `id-${seq}` })));

  test("no minute has more messages than the limit and one, and no news is told twice", () => {
    fc.assert(
      fc.property(
        rows,
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 59_999 }), { maxLength: 30 }),
        (waiting, groupOver, ages) => {
          const nowMs = 1_000_000;
          const recentMs = ages.map((age) => nowMs - age);
          const groups = groupNews(waiting, { recentMs, groupOver, nowMs });
          const seqs = groups.flat().map(({ seq }) => seq);
          expect(new Set(seqs).size).toBe(seqs.length);
          expect(groups.every(({ length }) => length > 0 && length <= newsPerMessageMax)).toBe(
            true,
          );
          if (groups.length > 0) {
            expect(recentMs.length + groups.length).toBeLessThanOrEqual(groupOver + 1);
          }
        },
      ),
    );
  });

  test("everything is told in the end: a minute later nothing holds it back", () => {
    const waiting = [{ seq: 1, id: "a" }];
    const recentMs = Array.from({ length: 6 }, () => 0);
    expect(groupNews(waiting, { recentMs, groupOver: 5, nowMs: 59_999 })).toEqual([]);
    expect(groupNews(waiting, { recentMs, groupOver: 5, nowMs: 60_000 })).toEqual([waiting]);
  });
});

describe("waiting between attempts", () => {
  test("it grows, stays bounded, and is never shorter than what the server asked for in reason", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.option(fc.integer({ min: 0, max: 10 ** 9 }), { nil: undefined }),
        (attempt, chance, askedMs) => {
          const waitMs = backoffMs(attempt, { askedMs, chance });
          expect(waitMs).toBeGreaterThanOrEqual(2_500);
          expect(waitMs).toBeLessThanOrEqual(3_600_000);
          if (askedMs !== undefined && askedMs <= 3_600_000) {
            expect(waitMs).toBeGreaterThanOrEqual(askedMs);
          }
          expect(backoffMs(attempt + 1, { chance })).toBeGreaterThanOrEqual(
            backoffMs(attempt, { chance }),
          );
        },
      ),
    );
  });

  test("Retry-After is read as seconds or as a date; nonsense counts as nothing", () => {
    const nowMs = Date.parse("2026-01-01T00:00:00Z");
    expect(retryAfterMs("120", nowMs)).toBe(120_000);
    expect(retryAfterMs("Thu, 01 Jan 2026 00:01:00 GMT", nowMs)).toBe(60_000);
    expect(retryAfterMs("Wed, 31 Dec 2025 00:00:00 GMT", nowMs)).toBe(0);
    expect(retryAfterMs("soon", nowMs)).toBeUndefined();
    expect(retryAfterMs(null, nowMs)).toBeUndefined();
  });
});

describe("who wants what", () => {
  const all = { simulated: false };

  test("a target without wishes gets everything; each wish narrows it down", () => {
    expect(isWanted(failure, {}, all)).toBe(true);
    expect(isWanted(failure, { events: ["node.failed"] }, all)).toBe(true);
    expect(isWanted(failure, { events: ["node.closed"] }, all)).toBe(false);
    expect(isWanted(failure, { clusters: ["prod"] }, all)).toBe(true);
    expect(isWanted(failure, { clusters: ["test"] }, all)).toBe(false);
    expect(isWanted({ ...failure, event: "node.closed" }, { minSeverity: "critical" }, all)).toBe(
      false,
    );
    expect(isWanted(failure, { minSeverity: "critical" }, all)).toBe(true);
  });

  test("the id is that of the occurrence, not of the words", () => {
    expect(newsId({ ...failure, reason: "otherwise" } as News)).toBe(newsId(failure));
    expect(newsId({ ...failure, occurrence: ["prod", "n1", "run-2"] })).not.toBe(newsId(failure));
    expect(newsId({ ...failure, occurrence: ["prod", "n1r", "un-1"] })).not.toBe(newsId(failure));
  });
});

describe("how a node stands", () => {
  const conclusion = fc.record({
    runId: fc.string(),
    verdict: fc.constantFrom(...verdicts),
    reason: fc.string(),
    atMs: fc.nat(),
  });

  test("it is well only when every check is decided and good, and failing when one fails", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ check: fc.string(), ended: conclusion, completed: conclusion })),
        (checks) => {
          const { state } = nodeStanding(checks);
          const verdictsOf = checks.map(({ ended, completed }) =>
            ["fail", "pass", "warn"].includes(ended.verdict) ? ended.verdict : completed.verdict,
          );
          const isGood = verdictsOf.every((verdict) => verdict === "pass" || verdict === "warn");
          const expected = verdictsOf.includes("fail")
            ? "failing"
            : isGood && checks.length > 0
              ? "well"
              : "undecided";
          expect(state).toBe(expected);
        },
      ),
    );
  });
});

describe("addresses", () => {
  test.each([
    "https://hooks.example/x",
    "http://127.0.0.1:9/x",
    "http://localhost/x",
    "https://10.0.0.5/",
  ])("%s is taken", (text) => expect(checkAddress(text)).toHaveProperty("url"));

  test.each([
    "http://hooks.example/s3cr3t",
    "ftp://hooks.example/s3cr3t",
    "https://user:s3cr3t@hooks.example/",
    "https://169.254.169.254/s3cr3t",
    "https://[fe80::1]/s3cr3t",
    "s3cr3t",
  ])("%s is refused, and not repeated", (text) => {
    const checked = checkAddress(text);
    expect(checked).toHaveProperty("problem");
    expect(JSON.stringify(checked)).not.toContain("s3cr3t");
  });

  test("a variable gives the address; one that is not set is a problem", async () => {
    const target = { urlEnv: "HOOK" };
    expect(await findAddress(target, { HOOK: " https://hooks.example/x\n" })).toHaveProperty("url");
    expect(await findAddress(target, {})).toHaveProperty("problem");
  });
});

describe("Slack", () => {
  test("a message links to the node and says where figures come from", () => {
    const item = itemOf(failure, "id", "https://tessera.example");
    const body = JSON.stringify(slackBody(messageOf("m", { instance: "i", items: [item] })));
    expect(body).toContain("<https://tessera.example/nodes/prod/n1|Node n1 of prod failed>");
    expect(body).toContain("measured");
  });

  test("whatever names and reasons hold, nothing in them becomes a command, and limits are kept", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 5000 }),
        fc.integer({ min: 1, max: 60 }),
        (text, count) => {
          const news = { ...failure, title: `<!channel>${text}`, reason: `${text}<!here>` };
          const items = Array.from({ length: count }, () => itemOf(news, "id", undefined));
          const body = slackBody(messageOf("m", { instance: "i", items })) as {
            text: string;
            blocks: { text?: { text: string; type: string } }[];
          };
          expect(body.blocks.length).toBeLessThanOrEqual(50);
          for (const block of body.blocks) {
            if (block.text === undefined) continue;
            expect(block.text.text.length).toBeLessThanOrEqual(3000);
            if (block.text.type === "mrkdwn") expect(block.text.text).not.toMatch(/<[!@#]/);
          }
          expect(body.text).not.toMatch(/<[!@#]/);
        },
      ),
    );
  });
});
