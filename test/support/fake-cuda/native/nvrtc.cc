// The fake NVRTC: g++ makes a shared library of the kernel text.
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "common.h"
#include "image.h"
#include "kernel-text.h"

enum Result : int {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
};

extern char** environ;

namespace {

using Bytes = std::vector<unsigned char>;

struct Program {
  std::string source, name, log;
  Bytes cubin;
  std::string ptx;
};

// Where the prelude lies and compiled kernels are kept: beside this library.
std::string folder() {
  Dl_info info;
  dladdr(reinterpret_cast<void*>(&folder), &info);
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/'));
}

Bytes readBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

std::string readText(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Runs g++ in `work`; what it says goes to `work`/log.
bool compile(const std::string& work, std::vector<std::string> args) {
  args.insert(args.begin(), fake::environment("FAKE_CUDA_CXX", "g++"));
  std::vector<char*> argv;
  for (std::string& arg : args) argv.push_back(arg.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  const std::string log = work + "/log";
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t pid;
  const int started = posix_spawnp(&pid, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (started != 0) return false;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The options of NVRTC that change what the text means; the others are accepted and ignored.
bool readOptions(int count, const char* const* options, std::vector<std::string>* defines) {
  static const char* const ignored[] = {
      "--gpu-architecture=", "-arch=", "--fmad=", "-fmad=", "--std=", "-std=", "--use_fast_math",
      "-use_fast_math", "--generate-line-info", "-lineinfo", "--extra-device-vectorization",
      "-default-device", "--default-device", "-default-execution-space-device", "--device-as-default-execution-space",
      "--maxrregcount=", "--ftz=", "-ftz=", "--prec-div=", "--prec-sqrt=", "-prec-div=", "-prec-sqrt=", "-w",
      "--disable-warnings", "--dopt=", "--split-compile=", "-no-cache", "--no-cache", "--diag-suppress="};
  for (int i = 0; i < count; i++) {
    const std::string option = options[i];
    bool known = false;
    for (const char* start : ignored) known = known || option.compare(0, strlen(start), start) == 0;
    if (known) continue;
    if (option == "-D" && i + 1 < count) defines->push_back(std::string("-D") + options[++i]);
    else if (option.compare(0, 2, "-D") == 0) defines->push_back(option);
    else if (option.compare(0, 15, "--define-macro=") == 0) defines->push_back("-D" + option.substr(15));
    else return false;
  }
  return true;
}

Bytes build(Program& program, const std::string& work, const std::vector<std::string>& defines) {
  const std::string source = work + "/source.cu", expanded = work + "/expanded.cc", output = work + "/kernel.so";
  std::ofstream(source) << "#line 1 \"" << program.name << "\"\n" << program.source;
  std::vector<std::string> preprocess = {"-E", "-x", "c++", "-std=c++17", source, "-o", expanded};
  preprocess.insert(preprocess.end(), defines.begin(), defines.end());
  if (!compile(work, preprocess)) return {};
  std::string text = readText(expanded);
  const auto kernels = fake::findKernels(text);
  text = fake::replaceDynamicShared(text);
  for (const auto& kernel : kernels)
    text += "\nFAKE_KERNEL(" + kernel.name + ", " + (kernel.waits ? "1" : "0") + ")";
  std::ofstream(expanded) << text << "\n";
  const std::vector<std::string> args = {
      "-shared", "-fPIC", "-std=c++17", "-O2", "-w", "-fno-exceptions", "-fno-rtti", "-ffp-contract=off",
      "-fno-math-errno", "-fno-strict-aliasing", "-fno-ipa-reference", "-fno-ipa-pure-const",
      "-fvisibility=hidden", "-include", folder() + "/kernel-prelude.h", expanded, "-o", output, "-lm"};
  return compile(work, args) ? readBytes(output) : Bytes{};
}

void removeFolder(const std::string& work) {
  for (const char* name : {"source.cu", "expanded.cc", "kernel.so", "log"}) unlink((work + "/" + name).c_str());
  rmdir(work.c_str());
}

std::string cacheKey(const Program& program, const std::vector<std::string>& defines) {
  std::string all = program.name + "\n" + program.source;
  for (const std::string& define : defines) all += "\n" + define;
  char key[40];
  snprintf(key, sizeof key, "%016lx%016lx", fake::hashOf(all.data(), all.size()),
           fake::hashOf(all.data(), all.size(), all.size() * 0x9e3779b97f4a7c15ull + 1));
  return key;
}

}  // namespace

API Result nvrtcVersion(int* major, int* minor) {
  ENTER("nvrtcVersion");
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}

API const char* nvrtcGetErrorString(int code) {
  switch (code) {
    case 0: return "NVRTC_SUCCESS";
    case 1: return "NVRTC_ERROR_OUT_OF_MEMORY";
    case 3: return "NVRTC_ERROR_INVALID_INPUT";
    case 4: return "NVRTC_ERROR_INVALID_PROGRAM";
    case 5: return "NVRTC_ERROR_INVALID_OPTION";
    case 6: return "NVRTC_ERROR_COMPILATION";
    case 11: return "NVRTC_ERROR_INTERNAL_ERROR";
    default: return "NVRTC_ERROR unknown";
  }
}

API Result nvrtcGetNumSupportedArchs(int* count) {
  *count = 3;
  return NVRTC_SUCCESS;
}

API Result nvrtcGetSupportedArchs(int* archs) {
  archs[0] = 80;
  archs[1] = 90;
  archs[2] = 100;
  return NVRTC_SUCCESS;
}

API Result nvrtcCreateProgram(Program** out, const char* source, const char* name, int headers,
                              const char* const*, const char* const*) {
  ENTER("nvrtcCreateProgram");
  if (source == nullptr || headers != 0) return NVRTC_ERROR_INVALID_INPUT;
  *out = new Program{source, name == nullptr ? "default_program" : name, "", {}, ""};
  return NVRTC_SUCCESS;
}

API Result nvrtcDestroyProgram(Program** program) {
  ENTER("nvrtcDestroyProgram");
  if (program == nullptr || *program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

API Result nvrtcCompileProgram(Program* program, int count, const char* const* options) {
  ENTER("nvrtcCompileProgram");
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  std::vector<std::string> defines;
  if (!readOptions(count, options, &defines)) return NVRTC_ERROR_INVALID_OPTION;
  const std::string kept = folder() + "/kernels/" + cacheKey(*program, defines);
  Bytes library = readBytes(kept);
  if (library.empty()) {
    std::string work = folder() + "/kernels/work-XXXXXX";
    if (mkdtemp(work.data()) == nullptr) return NVRTC_ERROR_INTERNAL_ERROR;
    library = build(*program, work, defines);
    program->log = readText(work + "/log");
    if (!library.empty()) rename((work + "/kernel.so").c_str(), kept.c_str());
    removeFolder(work);
  }
  if (library.empty()) return NVRTC_ERROR_COMPILATION;
  program->cubin = fake::writeImage(library);
  program->ptx = fake::writePtx(program->cubin);
  return NVRTC_SUCCESS;
}

API Result nvrtcGetCUBINSize(Program* program, size_t* size) {
  ENTER("nvrtcGetCUBINSize");
  *size = program->cubin.size();
  return NVRTC_SUCCESS;
}

API Result nvrtcGetCUBIN(Program* program, char* into) {
  ENTER("nvrtcGetCUBIN");
  memcpy(into, program->cubin.data(), program->cubin.size());
  return NVRTC_SUCCESS;
}

// Texts are counted and given with their final zero.
API Result nvrtcGetPTXSize(Program* program, size_t* size) {
  ENTER("nvrtcGetPTXSize");
  *size = program->ptx.size() + 1;
  return NVRTC_SUCCESS;
}

API Result nvrtcGetPTX(Program* program, char* into) {
  ENTER("nvrtcGetPTX");
  memcpy(into, program->ptx.c_str(), program->ptx.size() + 1);
  return NVRTC_SUCCESS;
}

API Result nvrtcGetProgramLogSize(Program* program, size_t* size) {
  ENTER("nvrtcGetProgramLogSize");
  *size = program->log.size() + 1;
  return NVRTC_SUCCESS;
}

API Result nvrtcGetProgramLog(Program* program, char* into) {
  ENTER("nvrtcGetProgramLog");
  memcpy(into, program->log.c_str(), program->log.size() + 1);
  return NVRTC_SUCCESS;
}
