// What all fake libraries share: how a test tells them to fail, and which GPUs there are.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#define API extern "C" __attribute__((visibility("default")))

namespace fake {

constexpr int devicesMax = 16;

inline std::string environment(const char* name, const char* fallback = "") {
  const char* value = getenv(name);
  return value == nullptr || *value == 0 ? fallback : value;
}

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  size_t start = 0;
  while (start <= text.size()) {
    size_t end = text.find(separator, start);
    if (end == std::string::npos) end = text.size();
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

// "3" is the third time, "3+" the third and all later ones, "*" every time.
inline bool isTurn(const std::string& rule, long count) {
  if (rule == "*") return true;
  const long nth = atol(rule.c_str());
  return rule.back() == '+' ? count >= nth : count == nth;
}

// A variable that is read anew when it changes, and starts counting again then.
class Rules {
 public:
  explicit Rules(const char* variable) : variable_(variable) {}

  // Calls `use` with the fields of each rule; a rule is `a:b:c`, rules are separated by commas.
  template <class Use>
  void each(Use use) {
    std::lock_guard<std::mutex> lock(mutex_);
    const std::string text = environment(variable_);
    if (text != text_) {
      text_ = text;
      counts_.clear();
      rules_.clear();
      if (!text.empty())
        for (const std::string& rule : split(text, ',')) rules_.push_back(split(rule, ':'));
    }
    for (const auto& rule : rules_) use(rule, counts_);
  }

 private:
  const char* variable_;
  std::mutex mutex_;
  std::string text_;
  std::vector<std::vector<std::string>> rules_;
  std::map<std::string, long> counts_;
};

// What FAKE_CUDA_FAIL=function:nth:code wants this call to answer, or -1.
inline int failure(const char* function) {
  static Rules rules("FAKE_CUDA_FAIL");
  int code = -1;
  bool counted = false;
  rules.each([&](const std::vector<std::string>& rule, std::map<std::string, long>& counts) {
    if (rule.size() < 3 || rule[0] != function) return;
    if (!counted) counts[function]++;
    counted = true;
    if (isTurn(rule[1], counts[function])) code = atoi(rule[2].c_str());
  });
  return code;
}

#define ENTER(function)                                 \
  do {                                                  \
    const int wanted = fake::failure(function);         \
    if (wanted >= 0) return static_cast<Result>(wanted); \
  } while (0)

// Physical GPUs of the machine.
inline int physicalDevices() {
  const int count = atoi(environment("FAKE_CUDA_DEVICES", "1").c_str());
  return count < 0 ? 0 : count > devicesMax ? devicesMax : count;
}

inline std::string deviceModel() { return environment("FAKE_CUDA_MODEL", "Fake H200"); }

inline size_t deviceMemoryBytes() {
  return strtoull(environment("FAKE_CUDA_MEMORY_BYTES", "1073741824").c_str(), nullptr, 10);
}

inline void deviceUuid(int physical, unsigned char uuid[16]) {
  for (int i = 0; i < 16; i++) uuid[i] = static_cast<unsigned char>(0x10 * physical + i);
}

inline std::string uuidText(int physical) {
  unsigned char u[16];
  deviceUuid(physical, u);
  char text[48];
  snprintf(text, sizeof text,
           "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0], u[1],
           u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
  return text;
}

inline int pciBus(int physical) { return 0x19 + 0x10 * physical; }

inline void copyText(const std::string& text, char* into, size_t size) {
  if (size == 0) return;
  snprintf(into, size, "%s", text.c_str());
}

}  // namespace fake
