/** The digests every machine must arrive at. */
export interface GoldenAnswers {
  readonly products: readonly string[];
  readonly sums: readonly string[];
  readonly copy: string;
}

/**
 * Of the workload as it is: the same bits with every number of threads, both engines, every Node
 * version and processor. A change of the workload needs new ones.
 */
export const goldenAnswers: GoldenAnswers = {
  products: [
    "sha256:47df3b3f8cdfb729669cf66378eb205b3890f7d3811f077bc07b3fe0e918e222",
    "sha256:a041e9c8497f80d8a99b5084daef4ef30e2c14ea484953a839123227849b41e6",
    "sha256:6ce2de9424e5635af96ff434859bb0c5121ae614632df96b453e625003d4f301",
    "sha256:2283c5c3d02a63f8dd33113c0054801187dbe7614be009663b252a08ef19b8cb",
  ],
  sums: [
    "sha256:8b684976512dda4566c4813c59d22945d45fb291243ec403d9657b7575214c48",
    "sha256:6d40a669b1a0c8fd45935e432e1bbc840b13d2f516479184fbe8bc1f220c6b0b",
    "sha256:a625a93f380c42c7cf439ae18ee8a4ff955416ab6f76a82d24b5bb7d29c10c62",
    "sha256:50b73104c42d5e0b25ae9e801d55ef6c7a7fae04fc08f0b82862b615788d340e",
  ],
  copy: "sha256:310d4ade17649d2cd81d5ac64ef82ded6baa0e300a2d036579c00af80cef9eb2",
};
