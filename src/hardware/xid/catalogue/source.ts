/** What the tables of this folder were made from. */
export const xidSources = {
  catalogue: {
    name: "NVIDIA Xid-Catalog.xlsx, as NVSentinel carries it",
    sha256: "7f70ce9684be0c9d98a367770341ccc1d8bca4465cebe42dab7e23d57df5d5a5",
    xids: 172,
  },
  nvsentinel: { name: "NVIDIA/NVSentinel", commit: "42672ae8", date: "2026-08-21" },
  gpud: { name: "leptonai/gpud", commit: "4a8de33", date: "2026-08-22" },
  dcgm: { name: "NVIDIA/DCGM 4.6.0", commit: "72fa3fe", date: "2026-07-06" },
  cuda: { name: "CUDA 13.0 headers; which code stands for which XID is our choice" },
  /** When the reactions of NVSentinel and gpud to every number were observed. */
  observed: "2026-11-15",
} as const;
