// The fake libcuda: modules and launches. A module is a shared library that the fake NVRTC made of
// a kernel text with g++.
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver-state.h"
#include "fibers.h"
#include "image.h"

using namespace fake;

namespace {

constexpr unsigned sharedDefaultMax = 49152;

struct Module;

struct Function {
  Module* module;
  std::string name;
  fake_kernel_entry entry;
  unsigned dynamicSharedMax;
};

struct Module {
  Context* context;
  void* library;
  fake_module_table* table;
  std::map<std::string, std::unique_ptr<Function>> functions;
};

std::set<Module*> modules;

struct Launch {
  Function* function;
  Context* context;
  fake_index3 grid, block;
  unsigned sharedBytes;
  // The values, because the caller's memory is only good during the call.
  std::vector<std::vector<unsigned char>> values;
};

// A kernel that touches memory it must not: the rest of it is left out and the context is broken.
sigjmp_buf faultReturn;
pthread_t faultThread;
struct sigaction previousActions[3];
constexpr int faultSignals[3] = {SIGSEGV, SIGBUS, SIGILL};

void onFault(int signal, siginfo_t* info, void* place) {
  if (pthread_equal(pthread_self(), faultThread)) siglongjmp(faultReturn, signal);
  for (int i = 0; i < 3; i++) {
    if (faultSignals[i] != signal) continue;
    if ((previousActions[i].sa_flags & SA_SIGINFO) != 0) previousActions[i].sa_sigaction(signal, info, place);
  }
}

void runBlocks(const Launch& launch, void** parameters, volatile bool* stuck) {
  const fake_module_table& table = *launch.function->module->table;
  const fake_kernel_entry& kernel = launch.function->entry;
  *table.block_size = launch.block;
  *table.grid_size = launch.grid;
  *table.hooks = &fiberHooks();
  fake_index3& at = *table.block;
  for (at.z = 0; at.z < launch.grid.z; at.z++)
    for (at.y = 0; at.y < launch.grid.y; at.y++)
      for (at.x = 0; at.x < launch.grid.x; at.x++) {
        if (!kernel.waits) {
          kernel.loop(parameters);
        } else if (!runBlock(kernel, table, parameters)) {
          *stuck = true;
          return;
        }
      }
}

bool isHung(const Launch& launch) {
  static Rules rules("FAKE_CUDA_HANG");
  bool hung = false;
  rules.each([&](const std::vector<std::string>& rule, std::map<std::string, long>& counts) {
    if (rule.size() < 3 || atoi(rule[0].c_str()) != launch.context->physical) return;
    if (rule[1] != launch.function->name && rule[1] != "*") return;
    if (isTurn(rule[2], ++counts[rule[0] + rule[1]])) hung = true;
  });
  return hung;
}

void run(Launch& launch) {
  std::vector<void*> parameters;
  for (auto& value : launch.values) parameters.push_back(value.data());
  volatile bool stuck = false;
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  faultThread = pthread_self();
  for (int i = 0; i < 3; i++) sigaction(faultSignals[i], &action, &previousActions[i]);
  const int fault = sigsetjmp(faultReturn, 1);
  if (fault == 0) runBlocks(launch, parameters.data(), &stuck);
  for (int i = 0; i < 3; i++) sigaction(faultSignals[i], &previousActions[i], nullptr);
  const char* name = launch.function->name.c_str();
  if (fault != 0) {
    fprintf(stderr, "fake libcuda: kernel %s was stopped by signal %d\n", name, fault);
    launch.context->sticky = CUDA_ERROR_ILLEGAL_ADDRESS;
  } else if (stuck) {
    fprintf(stderr, "fake libcuda: threads of kernel %s wait for others that never come\n", name);
    launch.context->sticky = CUDA_ERROR_LAUNCH_FAILED;
  } else if (launch.function->entry.output >= 0) {
    void* output = *static_cast<void**>(parameters[launch.function->entry.output]);
    flipOutput(launch.context->physical, launch.function->name, output);
  }
}

// An image as the fake NVRTC writes it, put where the loader can open it.
void* loadImage(const void* image) {
  std::vector<unsigned char> library;
  if (!readImage(image, &library)) return nullptr;
  const int file = memfd_create("fake-cuda-module", MFD_CLOEXEC);
  if (file < 0) return nullptr;
  size_t written = 0;
  while (written < library.size()) {
    const ssize_t count = write(file, library.data() + written, library.size() - written);
    if (count <= 0) break;
    written += static_cast<size_t>(count);
  }
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  // Stays open: dlopen takes a second module of the same path for the first.
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

static Result loadModule(Context* context, void** out, const void* image) {
  if (image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  void* library = loadImage(image);
  if (library == nullptr) return CUDA_ERROR_INVALID_IMAGE;
  auto* table = static_cast<fake_module_table*>(dlsym(library, "fake_module"));
  if (table == nullptr) return CUDA_ERROR_INVALID_IMAGE;
  Module* module = new Module{context, library, table, {}};
  modules.insert(module);
  *out = module;
  return CUDA_SUCCESS;
}

API Result cuModuleLoadData(void** out, const void* image) {
  WITH_CONTEXT("cuModuleLoadData");
  return loadModule(context, out, image);
}

API Result cuModuleLoadDataEx(void** out, const void* image, unsigned, void*, void*) {
  WITH_CONTEXT("cuModuleLoadDataEx");
  return loadModule(context, out, image);
}

static void unload(Module* module) {
  modules.erase(module);
  dlclose(module->library);
  delete module;
}

API Result cuModuleUnload(void* handle) {
  WITH_CONTEXT("cuModuleUnload");
  Module* module = static_cast<Module*>(handle);
  if (modules.count(module) == 0) return CUDA_ERROR_INVALID_HANDLE;
  drainAll(context, true);
  unload(module);
  return context->sticky;
}

void fake::unloadModules(Context* context) {
  const std::set<Module*> before = modules;
  for (Module* module : before)
    if (module->context == context) unload(module);
}

size_t fake::moduleCount() { return modules.size(); }

API Result cuModuleGetFunction(void** out, void* handle, const char* name) {
  WITH_CONTEXT("cuModuleGetFunction");
  Module* module = static_cast<Module*>(handle);
  if (modules.count(module) == 0) return CUDA_ERROR_INVALID_HANDLE;
  auto& function = module->functions[name];
  if (function == nullptr) {
    const std::string symbol = std::string("fake_kernel_") + name;
    auto entry = reinterpret_cast<fake_kernel_entry (*)()>(dlsym(module->library, symbol.c_str()));
    if (entry == nullptr) {
      module->functions.erase(name);
      return CUDA_ERROR_NOT_FOUND;
    }
    function.reset(new Function{module, name, entry(), sharedDefaultMax});
  }
  *out = function.get();
  return CUDA_SUCCESS;
}

API Result cuFuncSetAttribute(void* handle, int attribute, int value) {
  WITH_CONTEXT("cuFuncSetAttribute");
  constexpr int maxDynamicShared = 8, carveout = 9;
  Function* function = static_cast<Function*>(handle);
  if (attribute == carveout) return CUDA_SUCCESS;
  if (attribute != maxDynamicShared || value < 0) return CUDA_ERROR_INVALID_VALUE;
  if (static_cast<unsigned>(value) > function->module->table->dynamic_shared_bytes)
    return CUDA_ERROR_INVALID_VALUE;
  function->dynamicSharedMax = static_cast<unsigned>(value);
  return CUDA_SUCCESS;
}

API Result cuFuncGetAttribute(int* value, int attribute, void* handle) {
  WITH_CONTEXT("cuFuncGetAttribute");
  const Function* function = static_cast<Function*>(handle);
  *value = attribute == 0 ? 1024 : attribute == 8 ? static_cast<int>(function->dynamicSharedMax) : 0;
  return CUDA_SUCCESS;
}

API Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads, size_t) {
  WITH_CONTEXT("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  if (threads < 1 || threads > 1024) return CUDA_ERROR_INVALID_VALUE;
  *blocks = 2048 / threads;
  return CUDA_SUCCESS;
}

static bool fits(const fake_index3& grid, const fake_index3& block) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0) return false;
  if (grid.x > 0x7fffffffu || grid.y > 65535u || grid.z > 65535u) return false;
  if (block.x > 1024 || block.y > 1024 || block.z > 64) return false;
  return block.x * block.y * block.z <= 1024;
}

API Result cuLaunchKernel(void* handle, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                          unsigned blockY, unsigned blockZ, unsigned sharedBytes, void* stream,
                          void** parameters, void** extra) {
  WITH_CONTEXT("cuLaunchKernel");
  Function* function = static_cast<Function*>(handle);
  if (function == nullptr || modules.count(function->module) == 0) return CUDA_ERROR_INVALID_HANDLE;
  Launch launch{function, context, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, {}};
  if (!fits(launch.grid, launch.block) || extra != nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (sharedBytes > function->dynamicSharedMax) return CUDA_ERROR_INVALID_VALUE;
  const fake_kernel_entry& entry = function->entry;
  if (entry.parameters > 0 && parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (int i = 0; i < entry.parameters; i++) {
    const auto* value = static_cast<const unsigned char*>(parameters[i]);
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    launch.values.emplace_back(value, value + entry.parameter_bytes[i]);
  }
  Stream* target = resolveStream(context, stream);
  return static_cast<Result>(enqueue(stream, [launch, target]() mutable {
    if (isHung(launch)) target->hung = true;
    else run(launch);
    return true;
  }));
}
