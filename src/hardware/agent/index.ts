export {
  type AgentOptions,
  type AgentPorts,
  type DetectorMode,
  detectorModes,
} from "./agent-options.ts";
export { createAgentPorts } from "./agent-ports.ts";
export { runAgent } from "./run-agent.ts";
