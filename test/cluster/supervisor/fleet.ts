import type { Clock } from "../../../src/platform/time/clock.ts";
import { compactEtcd } from "../control-plane/etcd.ts";
import { ClusterError } from "../errors.ts";
import { logFile, pathsOf } from "../registry/paths.ts";
import { Component, type ComponentSpec } from "./component.ts";
import type { ControlAnswer, ControlRequest, SupervisorConfig } from "./protocol.ts";

const logCheckIntervalMs = 30_000;

/** All components of a cluster, by name. */
export class Fleet {
  readonly #components = new Map<string, Component>();
  readonly #clock: Clock;
  readonly #config: SupervisorConfig;

  constructor(clock: Clock, config: SupervisorConfig) {
    this.#clock = clock;
    this.#config = config;
    this.#watchLogs();
  }

  /** Adds a component and starts it; resolves when it is healthy. */
  async start(spec: ComponentSpec): Promise<void> {
    const component = new Component(
      { ...spec, args: [...spec.args, ...(this.#config.extraArgs[spec.name] ?? [])] },
      {
        clock: this.#clock,
        env: this.#environment(),
        logFile: logFile(pathsOf(this.#config.folder), spec.name),
      },
    );
    this.#components.set(spec.name, component);
    await component.start();
  }

  /** Does what a request on the control socket asks for. */
  async answer(request: Exclude<ControlRequest, { op: "adopt" }>): Promise<ControlAnswer> {
    switch (request.op) {
      case "status": {
        const all = [...this.#components.values()].map((component) => component.status());
        return { ok: true, components: await Promise.all(all) };
      }
      case "kill":
        await this.#named(request.component).kill(request.signal);
        return { ok: true };
      case "start":
        await this.#named(request.component).start();
        return { ok: true };
      case "restart":
        await this.#named(request.component).restart();
        return { ok: true };
      case "compact":
        return { ok: true, revision: await compactEtcd() };
    }
  }

  #named(name: string): Component {
    const component = this.#components.get(name);
    if (component !== undefined) return component;
    const known = [...this.#components.keys()].join(", ");
    throw new ClusterError(`the cluster has no component "${name}"; it has ${known}`);
  }

  // Only what is named here: a proxy setting of the caller must not reach the components.
  #environment(): Record<string, string> {
    const paths = pathsOf(this.#config.folder);
    return { PATH: this.#config.path, HOME: paths.home, TMPDIR: paths.tmp };
  }

  #watchLogs(): void {
    this.#clock.setTimer(logCheckIntervalMs, () => {
      for (const component of this.#components.values()) component.boundLog();
      this.#watchLogs();
    });
  }
}
