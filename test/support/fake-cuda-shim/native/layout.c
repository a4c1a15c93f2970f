/* Prints where control-block.h has each number, for the test that compares it with the TypeScript. */
#include <stddef.h>
#include <stdio.h>

#include "control-block.h"

#define SAY(name, field)                                                                                              \
    printf("  \"%s\": { \"offset\": %zu, \"bytes\": %zu },\n", name, offsetof(struct tcf_block, field),               \
           sizeof(((struct tcf_block *)0)->field));

int main(void) {
    printf("{\n");
    SAY("magic", magic)
    SAY("version", version)
    SAY("armed", armed)
    SAY("generation", generation)
    SAY("armedAtMs", armed_at_ms)
    SAY("expiresAtMs", expires_at_ms)
    SAY("xid", xid)
    SAY("inFlight", in_flight)
    SAY("onInit", on_init)
    SAY("flags", flags)
    SAY("gpuMask", gpu_mask)
    SAY("afterCalls", after_calls)
    SAY("afterMs", after_ms)
    SAY("probability", probability)
    SAY("latencyNs", latency_ns)
    SAY("seed", seed)
    SAY("checksum", checksum)
    printf("  \"all\": { \"offset\": %d, \"bytes\": %zu }\n}\n", TCF_BODY_OFFSET, sizeof(struct tcf_block));
    return 0;
}
