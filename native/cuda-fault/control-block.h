/*
 * The control block: how an agent tells the shim in other processes what to do.
 *
 * A file of 4096 bytes that the shim maps read-only and the agent writes with pwrite. All numbers are
 * little-endian and lie at multiples of their size. The same layout is in
 * src/hardware/shim/control-block.ts; a test compares the two.
 *
 * Arming writes 0 to `armed`, then everything from `generation` to `checksum`, then 1 to `armed`. A
 * reader takes the body only if its checksum is right, so that half of an update is never obeyed. The
 * file is never made shorter: a process that has it mapped would be killed by reading beyond its end.
 */
#ifndef TESSERA_CONTROL_BLOCK_H
#define TESSERA_CONTROL_BLOCK_H

#include <stdint.h>

#define TCF_BLOCK_BYTES 4096
#define TCF_MAGIC 0x46435354u /* "TSCF" */
#define TCF_VERSION 1u

/* The error stays in the process that met it. */
#define TCF_FLAG_STICKY 1u

struct tcf_block {
    uint32_t magic;
    uint32_t version;
    uint32_t reserved;
    /* 1 while armed. Every intercepted call reads this word and nothing else while it is 0. */
    uint32_t armed;
    /* From here on covered by the checksum. Counts armings: counters of a process begin anew with it. */
    uint64_t generation;
    /* Milliseconds since 1970. */
    int64_t armed_at_ms;
    /* The shim disarms by itself then, also when nobody is left to do it. */
    int64_t expires_at_ms;
    uint32_t xid;
    /* What calls of a process answer that already uses the GPU. */
    int32_t in_flight;
    /* What the first calls of a new process answer; 0: they go well. */
    int32_t on_init;
    uint32_t flags;
    /* Bit n: the process's GPU n. All ones: every GPU, also where it is unknown which. */
    uint64_t gpu_mask;
    uint64_t after_calls;
    uint64_t after_ms;
    /* In units of 2^-32; 0xffffffff is every call. */
    uint32_t probability;
    uint32_t reserved2;
    /* Above 0: calls take so much longer, and none fails. */
    uint64_t latency_ns;
    uint64_t seed;
    /* FNV-1a over the body in words of 8 bytes. */
    uint64_t checksum;
};

#define TCF_BODY_OFFSET 16
#define TCF_BODY_WORDS 11
#define TCF_FNV_START UINT64_C(0xcbf29ce484222325)
#define TCF_FNV_PRIME UINT64_C(0x100000001b3)

#endif
