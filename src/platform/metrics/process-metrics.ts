import { readdir } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Clock } from "../time/clock.ts";
import type { Metrics } from "./metrics.ts";

const lagPercentiles = [50, 90, 99, 100] as const;
const lagResolutionMs = 10;
const nanosecondsPerSecond = 1e9;

/** Keeps the metrics of this process up to date until disposed of. */
export function collectProcessMetrics(metrics: Metrics, clock: Clock): Disposable {
  const lag = monitorEventLoopDelay({ resolution: lagResolutionMs });
  lag.enable();
  metrics.set("process_start_time_seconds", {}, clock.nowMs() / 1000 - process.uptime());
  let countedCpuSeconds = 0;
  metrics.onScrape(() => {
    const cpu = process.cpuUsage();
    const cpuSeconds = (cpu.user + cpu.system) / 1e6;
    metrics.count("process_cpu_seconds_total", {}, cpuSeconds - countedCpuSeconds);
    countedCpuSeconds = cpuSeconds;
    const memory = process.memoryUsage();
    metrics.set("process_resident_memory_bytes", {}, memory.rss);
    metrics.set("nodejs_heap_used_bytes", {}, memory.heapUsed);
    metrics.set("nodejs_external_memory_bytes", {}, memory.external);
    for (const percentile of lagPercentiles) {
      const seconds = lag.percentile(percentile) / nanosecondsPerSecond;
      metrics.set("nodejs_eventloop_lag_seconds", { percentile }, lateBy(seconds));
    }
    lag.reset();
  });
  if (process.platform === "linux") {
    metrics.onScrape(async () => {
      // Reading the folder opens one descriptor of its own.
      metrics.set("process_open_fds", {}, (await readdir("/proc/self/fd")).length - 1);
    });
  }
  return { [Symbol.dispose]: () => void lag.disable() };
}

/** The monitor reports the time between its ticks, the ticks' own period included. */
function lateBy(tickSeconds: number): number {
  return Math.max(0, tickSeconds - lagResolutionMs / 1000);
}
