// Between a compiled kernel text and the fake libcuda that runs it. Includes nothing.
#pragma once

struct fake_index3 {
  unsigned x, y, z;
};

// What kernels call and only the one who runs them can do.
struct fake_hooks {
  // Waits for all threads of the block; answers for how many `predicate` was true.
  int (*block_barrier)(int predicate);
  // Waits for the threads of the warp in `mask`; answers what each of the 32 gave.
  const unsigned long long* (*warp_exchange)(unsigned mask, unsigned long long value);
};

struct fake_module_table {
  fake_index3* thread;
  fake_index3* block;
  fake_index3* block_size;
  fake_index3* grid_size;
  const fake_hooks** hooks;
  unsigned dynamic_shared_bytes;
};

struct fake_kernel_entry {
  // One thread, the one that `thread` names.
  void (*call)(void** parameters);
  // All threads of a block one after the other, for kernels that never wait for each other.
  void (*loop)(void** parameters);
  const unsigned* parameter_bytes;
  int parameters;
  // The first parameter that can be written through; -1 when there is none.
  int output;
  // Whether it can reach a barrier or a shuffle.
  int waits;
};
