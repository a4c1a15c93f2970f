import assert from "node:assert/strict";
import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import { type Clock, sleep } from "../../../platform/time/index.ts";
import type { Fleet } from "../../plan/index.ts";
import type { LinkEffect } from "../proxy/link-effect.ts";
import type { Direction, LinkProxy } from "../proxy/link-proxy.ts";
import type { HostNetwork } from "../run/network.ts";
import { createTool, succeeds, type Tool } from "../tools.ts";
import { buildNetwork, triesNetem } from "./build-network.ts";
import { type NetworkLayout, networkLayout } from "./layout.ts";
import { dropRules, nodesCovered, packetsIn, type Rules, tableOf } from "./rules.ts";

export interface NamespacesOptions {
  readonly prefix: string;
  readonly run: string;
  readonly fleet: Fleet;
  readonly clock: Clock;
}

/** A network namespace for each node, all on one bridge. @throws E_WORLD when they cannot be made */
export async function openNamespaces(options: NamespacesOptions): Promise<HostNetwork> {
  const tool = createTool(options.clock);
  const layout = networkLayout(options.prefix, options.fleet);
  try {
    await buildNetwork(tool, layout, options.fleet);
  } catch (error) {
    const problem = `the network of the nodes could not be made: ${messageOf(error)}`;
    throw new TesseraError("E_WORLD", { world: "host", problem }, { cause: error });
  }
  const hasNetem = await triesNetem(tool, layout);
  return new Namespaces({ ...options, tool, layout, hasNetem });
}

interface Parts extends NamespacesOptions {
  readonly tool: Tool;
  readonly layout: NetworkLayout;
  readonly hasNetem: boolean;
}

const pollMs = 50;

/** What one injection has done to the kernel. */
interface Kernel {
  readonly namespaces: readonly string[];
  readonly nodes: readonly number[];
  readonly over: AbortController;
}

class Namespaces implements HostNetwork {
  readonly kind = "namespaces";
  readonly host: string;
  readonly #o: Parts;
  readonly #slots: number;
  readonly #inForce = new Map<string, Kernel>();
  #proxy: LinkProxy | undefined;
  #onHit: (injection: string, what: string) => void = () => {};

  constructor(parts: Parts) {
    const { fleet } = parts;
    this.#o = parts;
    this.host = parts.layout.host;
    this.#slots = (fleet.nodes + fleet.spareNodes) * fleet.devicesPerNode;
  }

  get notes(): readonly string[] {
    return this.#o.hasNetem
      ? []
      : ["This kernel has no netem: latency and jitter were made by the proxy."];
  }

  hostOf(slot: number): string {
    return this.#o.layout.addressOf(slot);
  }

  prefixOf(slot: number): readonly string[] {
    const { layout } = this.#o;
    return ["ip", "netns", "exec", layout.namespaceOf(layout.nodeOf(slot))];
  }

  connect(proxy: LinkProxy, onHit: (injection: string, what: string) => void): void {
    this.#proxy = proxy;
    this.#onHit = onHit;
  }

  async begin(
    injection: string,
    effect: LinkEffect,
    directions: readonly Direction[],
  ): Promise<void> {
    const over = new AbortController();
    if (effect.kind === "cut" || effect.kind === "loss" || effect.kind === "flap") {
      const share = effect.kind === "loss" ? effect.share : 1;
      const rules = this.#rules(injection, directions, share);
      this.#inForce.set(injection, { namespaces: [...rules.keys()], nodes: [], over });
      await this.#apply(rules);
      void this.#watch(injection, over.signal).catch(() => {});
      if (effect.kind === "flap") void this.#flap(injection, rules, effect).catch(() => {});
      return;
    }
    const shaping = this.#shapingOf(effect);
    const nodes =
      shaping === null
        ? []
        : nodesCovered(directions, { layout: this.#o.layout, slots: this.#slots });
    this.#inForce.set(injection, { namespaces: [], nodes, over });
    for (const node of nodes) {
      await this.#o.tool([
        "tc",
        "qdisc",
        "add",
        "dev",
        this.#o.layout.linkOf(node),
        "root",
        ...(shaping ?? []),
      ]);
    }
    if (nodes.length > 0) void this.#watchQdisc(injection, nodes, over.signal).catch(() => {});
    const { layout } = this.#o;
    const rest = directions.filter(
      ({ from, to }) =>
        !(to < this.#slots && nodes.includes(layout.nodeOf(to)) && !isSameNode(layout, from, to)),
    );
    this.#proxy?.begin(injection, effect, rest);
  }

  async end(injection: string): Promise<void> {
    this.#proxy?.end(injection);
    const kernel = this.#inForce.get(injection);
    if (kernel === undefined) return;
    kernel.over.abort(new Error("it is over"));
    this.#inForce.delete(injection);
    await this.#lift(injection, kernel.namespaces);
    for (const node of kernel.nodes) {
      await this.#o.tool(["tc", "qdisc", "delete", "dev", this.#o.layout.linkOf(node), "root"]);
    }
  }

  undoOf(injection: string): { readonly kind: string; readonly data: Record<string, unknown> } {
    const { layout } = this.#o;
    const nodes = Array.from({ length: layout.nodes }, (_, node) => node);
    return {
      kind: "run-tools",
      data: {
        commands: nodes.flatMap((node) => [
          [
            ...inNamespace(layout.namespaceOf(node)),
            "nft",
            "delete",
            "table",
            "inet",
            tableOf(injection),
          ],
          ["tc", "qdisc", "delete", "dev", layout.linkOf(node), "root"],
        ]),
      },
    };
  }

  async inForce(): Promise<readonly string[]> {
    const { layout, tool } = this.#o;
    const found = (this.#proxy?.inForce() ?? []).map(({ what }) => `the proxy, ${what}`);
    for (let node = 0; node < layout.nodes; node++) {
      const name = layout.namespaceOf(node);
      const tables = await tool([...inNamespace(name), "nft", "list", "tables"]);
      for (const line of tables.split("\n").filter((line) => line.includes("tessera_"))) {
        found.push(`${name} still has the rules ${line.trim()}`);
      }
      const qdiscs = await tool(["tc", "qdisc", "show", "dev", layout.linkOf(node)]);
      if (/qdisc (tbf|netem)/.test(qdiscs)) found.push(`the link of ${name} is still shaped`);
    }
    return found;
  }

  async close(): Promise<void> {
    const { layout, tool } = this.#o;
    for (const { over } of this.#inForce.values()) over.abort(new Error("the run is over"));
    for (let node = 0; node < layout.nodes; node++) {
      await succeeds(tool, ["ip", "netns", "delete", layout.namespaceOf(node)]);
      // The kernel takes the link away with its namespace, but not at once.
      await succeeds(tool, ["ip", "link", "delete", layout.linkOf(node)]);
    }
    await succeeds(tool, ["ip", "link", "delete", layout.bridge]);
  }

  #rules(injection: string, directions: readonly Direction[], share: number): Rules {
    const proxy = this.#proxy;
    assert(proxy !== undefined, "effects begin once the proxy is there");
    return dropRules(injection, directions, {
      layout: this.#o.layout,
      slots: this.#slots,
      share,
      portFor: (dialler, listener) => proxy.portFor(dialler, listener),
    });
  }

  /** What slows a whole link; null: the kernel has nothing for it. */
  #shapingOf(effect: LinkEffect): readonly string[] | null {
    if (effect.kind === "cap") {
      const rate = `${effect.bytesPerSecond * 8}bit`;
      return ["tbf", "rate", rate, "burst", "16kb", "latency", "1s"];
    }
    if (effect.kind !== "delay" || !this.#o.hasNetem) return null;
    const jitter = effect.jitterUs > 0 ? [`${effect.jitterUs}us`] : [];
    return ["netem", "delay", `${effect.latencyUs}us`, ...jitter];
  }

  async #apply(rules: Rules): Promise<void> {
    for (const [name, text] of rules) {
      await this.#o.tool([...inNamespace(name), "nft", "-f", "-"], { input: text });
    }
  }

  async #lift(injection: string, namespaces: readonly string[]): Promise<void> {
    for (const name of namespaces) {
      // Not there while a flapping link is up.
      const command = ["nft", "delete", "table", "inet", tableOf(injection)];
      await succeeds(this.#o.tool, [...inNamespace(name), ...command]);
    }
  }

  /** The kernel's own count of what it has dropped. */
  async #watch(injection: string, signal: AbortSignal): Promise<void> {
    const namespaces = this.#inForce.get(injection)?.namespaces ?? [];
    for (;;) {
      for (const name of namespaces) {
        const command = ["nft", "list", "table", "inet", tableOf(injection)];
        const listing = await this.#o.tool([...inNamespace(name), ...command]).catch(() => "");
        const packets = packetsIn(listing);
        if (packets === 0) continue;
        this.#onHit(injection, `the kernel dropped ${packets} packets in ${name}`);
        return;
      }
      await sleep(this.#o.clock, pollMs, signal);
    }
  }

  async #watchQdisc(
    injection: string,
    nodes: readonly number[],
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      for (const node of nodes) {
        const link = this.#o.layout.linkOf(node);
        const shown = await this.#o.tool(["tc", "-s", "qdisc", "show", "dev", link]);
        const [, bytes = "0"] = /Sent (\d+) bytes/.exec(shown) ?? [];
        const [, held = "0"] = /overlimits (\d+)/.exec(shown) ?? [];
        if (Number(held) === 0 && !(shown.includes("netem") && Number(bytes) > 0)) continue;
        this.#onHit(injection, `the kernel held packets on ${link}: ${held} times over the limit`);
        return;
      }
      await sleep(this.#o.clock, pollMs, signal);
    }
  }

  async #flap(
    injection: string,
    rules: Rules,
    { downUs, upUs }: { readonly downUs: number; readonly upUs: number },
  ): Promise<void> {
    const signal = this.#inForce.get(injection)?.over.signal;
    assert(signal !== undefined, "it is in force");
    const { clock } = this.#o;
    // By the clock: what the tools take must not make the link up for longer than was ordered.
    let changesMs = clock.monotonicMs();
    const wait = (us: number) => {
      changesMs += us / 1000;
      return sleep(clock, Math.max(0, changesMs - clock.monotonicMs()), signal);
    };
    for (;;) {
      await wait(downUs);
      await this.#lift(injection, [...rules.keys()]);
      await wait(upUs);
      await this.#apply(rules);
      if (signal.aborted) await this.#lift(injection, [...rules.keys()]);
    }
  }
}

function inNamespace(name: string): readonly string[] {
  return ["ip", "netns", "exec", name];
}

function isSameNode(layout: NetworkLayout, one: number, other: number): boolean {
  return layout.nodeOf(one) === layout.nodeOf(other);
}
