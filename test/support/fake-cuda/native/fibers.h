// The threads of one block, as fibers of one real thread: each runs until it waits for others.
#pragma once

#include "kernel-abi.h"

namespace fake {

// Runs one block whose threads may wait for each other. Answers false when they wait for ever:
// some at a barrier that others never reach.
bool runBlock(const fake_kernel_entry& kernel, const fake_module_table& table, void** parameters);

const fake_hooks& fiberHooks();

}  // namespace fake
