#include "fibers.h"

#include <sys/mman.h>

#include <cstdint>
#include <vector>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace fake {

namespace {

constexpr int threadsMax = 1024;
constexpr int warpThreads = 32;
constexpr size_t stackBytes = 128 * 1024;

#if defined(__x86_64__)
using Place = void*;
// Saves what a called function must keep, and goes on where `to` stopped.
extern "C" __attribute__((visibility("hidden"))) void fake_switch(void** from, void* to);
asm(R"(
.text
.hidden fake_switch
.globl fake_switch
.type fake_switch, @function
fake_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size fake_switch, .-fake_switch
)");
void go(Place& from, Place& to) { fake_switch(&from, to); }
void prepare(Place& place, unsigned char* stack, void (*entry)()) {
  auto* top = reinterpret_cast<uintptr_t*>(stack + stackBytes) - 2;
  *top = reinterpret_cast<uintptr_t>(entry);
  place = top - 6;
}
#else
using Place = ucontext_t;
void go(Place& from, Place& to) { swapcontext(&from, &to); }
void prepare(Place& place, unsigned char* stack, void (*entry)()) {
  getcontext(&place);
  place.uc_stack.ss_sp = stack;
  place.uc_stack.ss_size = stackBytes;
  place.uc_link = nullptr;
  makecontext(&place, entry, 0);
}
#endif

enum class State { ready, atBlockBarrier, atWarpExchange, done };

struct Fiber {
  Place place;
  State state;
  fake_index3 thread;
  unsigned mask;
  unsigned long long given;
  int predicate;
};

struct Block {
  Fiber fibers[threadsMax];
  unsigned long long exchanged[threadsMax / warpThreads][warpThreads];
  Place scheduler;
  int threads;
  int current;
  int barrierCount;
  const fake_kernel_entry* kernel;
  void** parameters;
  unsigned char* stacks = nullptr;
};

Block& block() {
  static Block* instance = new Block;
  return *instance;
}

Fiber& current() { return block().fibers[block().current]; }

void pause(State state) {
  Fiber& self = current();
  self.state = state;
  go(self.place, block().scheduler);
}

void runFiber() {
  block().kernel->call(block().parameters);
  pause(State::done);
  __builtin_unreachable();
}

int blockBarrier(int predicate) {
  current().predicate = predicate;
  pause(State::atBlockBarrier);
  return block().barrierCount;
}

const unsigned long long* warpExchange(unsigned mask, unsigned long long value) {
  Fiber& self = current();
  self.mask = mask;
  self.given = value;
  pause(State::atWarpExchange);
  return block().exchanged[block().current / warpThreads];
}

void start(const fake_module_table& table) {
  Block& b = block();
  if (b.stacks == nullptr) {
    void* stacks = mmap(nullptr, stackBytes * threadsMax, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    b.stacks = static_cast<unsigned char*>(stacks);
  }
  const fake_index3 size = *table.block_size;
  b.threads = static_cast<int>(size.x * size.y * size.z);
  int i = 0;
  for (unsigned z = 0; z < size.z; z++)
    for (unsigned y = 0; y < size.y; y++)
      for (unsigned x = 0; x < size.x; x++, i++) {
        Fiber& fiber = b.fibers[i];
        fiber.state = State::ready;
        fiber.thread = {x, y, z};
        prepare(fiber.place, b.stacks + stackBytes * i, runFiber);
      }
}

bool resumeReady(int first, int end, const fake_module_table& table) {
  Block& b = block();
  bool moved = false;
  for (int i = first; i < end; i++) {
    if (b.fibers[i].state != State::ready) continue;
    moved = true;
    b.current = i;
    *table.thread = b.fibers[i].thread;
    go(b.scheduler, b.fibers[i].place);
  }
  return moved;
}

// Lets threads of a warp go on whose partners, all that their mask names, have come too.
bool releaseExchange(int first, int end) {
  Block& b = block();
  bool released = false;
  for (int i = first; i < end; i++) {
    if (b.fibers[i].state != State::atWarpExchange) continue;
    const unsigned mask = b.fibers[i].mask;
    bool complete = true;
    for (int j = first; j < end; j++) {
      const Fiber& other = b.fibers[j];
      const bool named = (mask >> (j - first) & 1u) != 0;
      const bool here = other.state == State::atWarpExchange && other.mask == mask;
      if (named && !here && other.state != State::done) complete = false;
    }
    if (!complete) continue;
    for (int j = first; j < end; j++) {
      if ((mask >> (j - first) & 1u) == 0 || b.fibers[j].state != State::atWarpExchange) continue;
      b.exchanged[first / warpThreads][j - first] = b.fibers[j].given;
      b.fibers[j].state = State::ready;
    }
    // Threads of one group read before another group of the warp gives anything.
    return true;
  }
  return released;
}

// Lets the whole block go on when every thread that still runs is at the barrier.
bool releaseBarrier() {
  Block& b = block();
  int count = 0;
  for (int i = 0; i < b.threads; i++) {
    if (b.fibers[i].state == State::done) continue;
    if (b.fibers[i].state != State::atBlockBarrier) return false;
    count += b.fibers[i].predicate != 0;
  }
  b.barrierCount = count;
  for (int i = 0; i < b.threads; i++)
    if (b.fibers[i].state != State::done) b.fibers[i].state = State::ready;
  return true;
}

bool allDone() {
  for (int i = 0; i < block().threads; i++)
    if (block().fibers[i].state != State::done) return false;
  return true;
}

}  // namespace

const fake_hooks& fiberHooks() {
  static const fake_hooks hooks = {blockBarrier, warpExchange};
  return hooks;
}

bool runBlock(const fake_kernel_entry& kernel, const fake_module_table& table, void** parameters) {
  Block& b = block();
  b.kernel = &kernel;
  b.parameters = parameters;
  start(table);
  for (;;) {
    for (int first = 0; first < b.threads; first += warpThreads) {
      const int end = first + warpThreads < b.threads ? first + warpThreads : b.threads;
      do resumeReady(first, end, table);
      while (releaseExchange(first, end));
    }
    if (allDone()) return true;
    if (!releaseBarrier()) return false;
  }
}

}  // namespace fake
