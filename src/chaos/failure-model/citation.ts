/** Where a figure comes from. `assumption` is a source too: ours, and the first to be questioned. */
export const citations = {
  llama3: { title: "The Llama 3 Herd of Models", where: "arXiv 2407.21783, table 5" },
  rsc: {
    title: "Revisiting Reliability in Large-Scale Machine Learning Research Clusters",
    where: "arXiv 2410.21680, HPCA 2025",
  },
  ftHsdp: {
    title: "Training LLMs with Fault Tolerant HSDP on 100,000 GPUs",
    where: "arXiv 2602.00277",
  },
  failureSurvey: {
    title: "hpc-ai-failure-survey (secondary: rows with quotes from 37 studies)",
    where: "github TrupeshKumarPatel/hpc-ai-failure-survey",
  },
  superBench: { title: "SuperBench", where: "USENIX ATC 2024" },
  lanl: { title: "LANL failure records, by way of the failure survey", where: "see failureSurvey" },
  tsubame: {
    title: "TSUBAME-2 failure study, by way of the failure survey",
    where: "see failureSurvey",
  },
  hpn: { title: "Alibaba HPN, by way of the failure survey", where: "SIGCOMM 2024" },
  megaScale: { title: "MegaScale", where: "arXiv 2402.15627" },
  falcon: { title: "FALCON, fail-slow in hybrid-parallel training", where: "arXiv 2410.12588" },
  metaSdc: { title: "Meta engineering blog on silent data corruption", where: "2025" },
  sdcHunter: { title: "SDCHunter, by way of a summary", where: "OSDI 2026" },
  sdcAnatomy: { title: "Anatomy of silent data corruption in GPUs", where: "arXiv 2605.04213" },
  byteRobust: { title: "ByteRobust", where: "arXiv 2509.16293, SOSP 2025" },
  nccl: { title: "NCCL and PyTorch defaults", where: "10 minutes for a process group of NCCL" },
  derived: { title: "Worked out from other rows of this model", where: "the note says how" },
  assumption: { title: "Nobody published it: our assumption", where: "the note says why" },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly where: string }>>;

export type CitationName = keyof typeof citations;
