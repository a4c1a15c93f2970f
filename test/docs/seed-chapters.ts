/** A document that Tessera is built from: each of its headings, and the headings that answer it. */
export interface Seed {
  readonly tutorial: string;
  /** From a heading of the seed to headings of the tutorial. */
  readonly chapters: Readonly<Record<string, readonly string[]>>;
}

/** The five seeds, with every heading they have, in their order. */
export const seeds: readonly Seed[] = [
  {
    tutorial: "rack.md",
    chapters: {
      "3.1 Introduction": ["A rack of 72 GPUs"],
      "3.2 Mesh Layout Testing": ["Is the layout right?"],
      "3.3 Deterministic Reductions": ["Is the sum the same in every order?"],
      "3.4 Bandwidth Stress Testing": ["Is the fabric fast enough?"],
      "3.5 Failure Injection Testing": ["What if a GPU drops out?"],
      "3.6 Best Practices at Rack Scale": ["What to do always"],
    },
  },
  {
    tutorial: "cluster.md",
    chapters: {
      "4.1 Introduction": ["A cluster of 128 nodes"],
      "4.2 Hierarchical Collectives Validation": ["Sums in three phases"],
      "4.3 Checkpoint/Restart Validation": ["Save, die, go on"],
      "4.4 Network Fault Injection": ["Half of the cluster is gone", "Drops and latency spikes"],
      "4.5 Silent Data Corruption (SDC) Detection": ["Wrong without saying so"],
      "4.6 Weak and Strong Scaling Tests": ["Does it scale?"],
      "4.7 Best Practices at Cluster Scale": ["What to do always"],
    },
  },
  {
    tutorial: "stress-and-chaos.md",
    chapters: {
      "7.1 Introduction": ["Stress and chaos"],
      "7.2 Stress Testing": ["Full load"],
      "7.3 Chaos Testing": ["A fault in five lines", "A GPU dies in the middle of a job"],
      "7.4 Distributed Chaos Testing": ["Groups, pipelines and epochs"],
      "7.5 Metrics to Track During Stress & Chaos": ["The five metrics"],
      "7.6 Best Practices for Stress & Chaos Testing": ["What to do always"],
    },
  },
  {
    tutorial: "hardware-faults.md",
    chapters: {
      "Quick Start": ["Do it", "As a test of your own"],
      Architecture: ["The parts"],
      "Why Both CUDA + XID?": ["Why both the CUDA error and the line?"],
      "API Reference": ["As a test of your own"],
      "ManagedDeployment (enable_hw_faults=True)": ["As a test of your own"],
      "Supported XID Types": ["Know the XID"],
      "Cluster Prerequisites": ["A cluster to try it on"],
      "Key Files": ["Run the tests"],
      Limitations: ["Limits"],
      "Running Tests": ["Run the tests"],
    },
  },
  {
    tutorial: "continuous-validation.md",
    chapters: {
      "Assumptions & Design Philosophy": ["Continuous validation"],
      Requirements: ["What you need"],
      "Quick Start": ["What would be tested now?", "One pass over this machine"],
      "Repository Structure": ["Step by step, as in the notebook"],
      "Validation Tests": ["The three checks"],
      "1. DL Unit Test": ["Layers of deep learning"],
      "2. NCCL Loop-Back AllReduce": ["NCCL loop-back"],
      "3. Storage I/O Validation (FIO)": ["Storage with fio"],
      "Directory Layout & Data Persistence": ["Where everything is kept"],
      "1. Logs Directory": ["Where everything is kept"],
      "2. Test Results Metadata": ["Where everything is kept"],
      "Workflow Internals": ["Step by step, as in the notebook"],
      "1. Discovery": ["What would be tested now?", "Step by step, as in the notebook"],
      "2. History Lookup": ["Step by step, as in the notebook"],
      "3. Prioritization": ["What would be tested now?", "Step by step, as in the notebook"],
      "4. Batch Execution": ["Batches and timeouts", "Step by step, as in the notebook"],
      "5. In-Pod Execution": ["Step by step, as in the notebook"],
      "Future Works / Next Steps": ["Is this a bad result?"],
    },
  },
];

/** Terms that a seed asks for, in the words of the tutorial that shows them. */
export const mustShow: Readonly<Record<string, readonly string[]>> = {
  "rack.md": ["mesh-layout.ts", "--corrupt", "--sweep", "E_DEVICE_LOST"],
  "cluster.md": ["packet_loss", "network_latency", "partition-group.yaml", "scale weak"],
  "stress-and-chaos.md": [
    ...["stress matmul", "stress memory", "stress mixed", "stress io"],
    ...["kill-gpu.yaml", "latency.yaml", "ecc.yaml", "dropped-collectives.yaml"],
    ...["fail-pipeline-node.yaml", "restart-dp-worker.yaml", "partition"],
  ],
  "hardware-faults.md": [
    ...["explain 79", "explain 48", "explain 94", "explain 95", "explain 43", "explain 74"],
    ...["getHwFaultTargetNode", "setupCudaPassthrough", "toggleCudaFaults", "injectHwFault"],
    ...["isNodeCordoned", "cleanupCudaSpecWithoutRestart", "waitForPodsOnHealthyNodes"],
  ],
  "continuous-validation.md": [
    ...["check run dl-unit", "check run nccl-loopback", "check run storage-io"],
    ...["latest_status", "pendingTimeout", "inFlight", "staleAfter", "resultsDir"],
    ...["getFreeNodeList", "getDbLatestStatus", "buildPriorityQueue", "runBatch"],
  ],
};
