import { describe, expect, it } from "vitest";
import {
  collectProcessMetrics,
  createMetrics,
  metricTable,
} from "../../../src/platform/metrics/index.ts";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";

describe("the table of metrics", () => {
  it.each(Object.entries(metricTable))("%s keeps to the conventions of Prometheus", (name, row) => {
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(name.endsWith("_total")).toBe(row.type === "counter");
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|mb|percent)(_|$)/);
    expect(row.help).toMatch(/^[A-Z0-9].*\.$/);
    expect("buckets" in row).toBe(row.type === "histogram");
  });
});

describe("metrics", () => {
  it("count, set and observe under their labels", async () => {
    const metrics = createMetrics();
    metrics.count("tessera_http_errors_total", { code: "E_USAGE" });
    metrics.count("tessera_http_errors_total", { code: "E_USAGE" }, 2);
    metrics.set("tessera_store_up", {}, 1);
    const labels = { method: "GET", route: "/", status: 200 };
    metrics.observe("tessera_http_request_duration_seconds", labels, 0.02);
    const text = await metrics.text();
    expect(text).toContain('tessera_http_errors_total{code="E_USAGE"} 3');
    expect(text).toContain("# TYPE tessera_http_errors_total counter");
    expect(text).toContain("tessera_store_up 1");
    expect(text).toContain('le="0.025",method="GET",route="/",status="200"} 1');
    expect(text).toContain('le="0.01",method="GET",route="/",status="200"} 0');
    expect(metrics.contentType).toMatch(/^text\/plain; version=0\.0\.4/);
  });

  it("refuse a label that the table does not have", () => {
    const labels = { code: "a", user: "b" };
    expect(() => createMetrics().count("tessera_http_errors_total", labels)).toThrow(/label/);
  });

  it("of one app know nothing of another's", async () => {
    const one = createMetrics();
    one.set("tessera_store_up", {}, 1);
    expect(await createMetrics().text()).not.toMatch(/^tessera_store_up /m);
  });

  it("show a gauge only once it has a value, and no longer when it is cleared", async () => {
    const metrics = createMetrics();
    expect(await metrics.text()).not.toMatch(/^tessera_store_answer_seconds /m);
    metrics.set("tessera_store_answer_seconds", {}, 0.5);
    expect(await metrics.text()).toMatch(/^tessera_store_answer_seconds 0.5$/m);
    metrics.clear("tessera_store_answer_seconds");
    expect(await metrics.text()).not.toMatch(/^tessera_store_answer_seconds /m);
  });

  it("forget series that no longer exist", async () => {
    const metrics = createMetrics();
    metrics.set("tessera_doctor_finding", { probe: "gone", state: "works" }, 1);
    metrics.clear("tessera_doctor_finding");
    expect(await metrics.text()).not.toContain("gone");
  });

  it("are refreshed at each scrape, even when one collector fails", async () => {
    const metrics = createMetrics();
    metrics.onScrape(() => Promise.reject(new Error("no")));
    metrics.onScrape(() => {
      throw new Error("no");
    });
    let scrapes = 0;
    metrics.onScrape(() => metrics.set("tessera_http_event_streams", {}, ++scrapes));
    expect(await metrics.text()).toContain("tessera_http_event_streams 1");
    expect(await metrics.text()).toContain("tessera_http_event_streams 2");
  });
});

describe("the metrics of the process", () => {
  it("have processor, memory, start and lag of the event loop", async () => {
    const metrics = createMetrics();
    using _ = collectProcessMetrics(metrics, createRealClock());
    const value = async (series: string) => {
      const text = await metrics.text();
      return Number(
        text
          .split("\n")
          .find((line) => line.startsWith(`${series} `))
          ?.split(" ")
          .at(-1),
      );
    };
    const first = await value("process_cpu_seconds_total");
    expect(first).toBeGreaterThan(0);
    expect(await value("process_cpu_seconds_total")).toBeGreaterThanOrEqual(first);
    expect(await value("process_resident_memory_bytes")).toBeGreaterThan(2 ** 20);
    expect(await value("nodejs_heap_used_bytes")).toBeGreaterThan(2 ** 10);
    expect(await value('nodejs_eventloop_lag_seconds{percentile="100"}')).toBeGreaterThanOrEqual(0);
    const ageSeconds = Date.now() / 1000 - (await value("process_start_time_seconds"));
    expect(ageSeconds).toBeGreaterThan(0);
    expect(ageSeconds).toBeLessThan(3600);
    if (process.platform === "linux") expect(await value("process_open_fds")).toBeGreaterThan(2);
  });
});
