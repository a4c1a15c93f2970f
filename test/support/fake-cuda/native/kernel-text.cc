#include "kernel-text.h"

#include <cctype>
#include <map>
#include <set>

namespace fake {

namespace {

bool isWord(char c) { return isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Words and single signs; comments are gone already, strings and line marks are left out.
std::vector<std::string> tokensOf(const std::string& text) {
  std::vector<std::string> tokens;
  size_t i = 0;
  bool lineStart = true;
  while (i < text.size()) {
    const char c = text[i];
    if (c == '\n') {
      lineStart = true;
      i++;
    } else if (isspace(static_cast<unsigned char>(c)) != 0) {
      i++;
    } else if (c == '#' && lineStart) {
      while (i < text.size() && text[i] != '\n') i++;
    } else if (c == '"' || c == '\'') {
      for (i++; i < text.size() && text[i] != c; i++)
        if (text[i] == '\\') i++;
      i++;
      lineStart = false;
    } else if (isWord(c)) {
      size_t end = i;
      while (end < text.size() && isWord(text[end])) end++;
      tokens.push_back(text.substr(i, end - i));
      i = end;
      lineStart = false;
    } else {
      tokens.emplace_back(1, c);
      i++;
      lineStart = false;
    }
  }
  return tokens;
}

bool isWaiting(const std::string& word) {
  for (const char* start : {"__syncthreads", "__syncwarp", "__shfl_", "__ballot_sync", "__any_sync", "__all_sync"})
    if (word.compare(0, std::string(start).size(), start) == 0) return true;
  return false;
}

// The name that `__global__` declares: the word before the parenthesis of the parameters.
std::string declaredKernel(const std::vector<std::string>& tokens, size_t at) {
  for (size_t i = at + 1; i + 1 < tokens.size() && tokens[i] != ";" && tokens[i] != "{"; i++) {
    if (tokens[i] == "__launch_bounds__") {
      while (i < tokens.size() && tokens[i] != ")") i++;
    } else if (tokens[i + 1] == "(" && tokens[i] != "__launch_bounds__") {
      return tokens[i];
    }
  }
  return "";
}

// Words used in each function's body, by the function's name; overloads are taken together.
std::map<std::string, std::set<std::string>> bodies(const std::vector<std::string>& tokens) {
  std::map<std::string, std::set<std::string>> found;
  std::string name;
  int depth = 0, parentheses = 0;
  for (size_t i = 0; i < tokens.size(); i++) {
    const std::string& token = tokens[i];
    if (token == "{") depth++;
    else if (token == "}") depth--;
    else if (depth == 0) {
      if (token == "(" && parentheses++ == 0 && i > 0 && isWord(tokens[i - 1][0]) &&
          tokens[i - 1] != "__launch_bounds__" && tokens[i - 1] != "__align__")
        name = tokens[i - 1];
      else if (token == ")") parentheses--;
    } else if (isWord(token[0])) {
      found[name].insert(token);
    }
  }
  return found;
}

}  // namespace

std::vector<KernelName> findKernels(const std::string& text) {
  const std::vector<std::string> tokens = tokensOf(text);
  auto functions = bodies(tokens);
  std::set<std::string> waiting;
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [name, words] : functions) {
      if (waiting.count(name) > 0) continue;
      for (const std::string& word : words)
        if (isWaiting(word) || waiting.count(word) > 0) {
          waiting.insert(name);
          grew = true;
          break;
        }
    }
  }
  std::vector<KernelName> kernels;
  std::set<std::string> seen;
  for (size_t i = 0; i < tokens.size(); i++) {
    if (tokens[i] != "__global__") continue;
    const std::string name = declaredKernel(tokens, i);
    if (!name.empty() && seen.insert(name).second) kernels.push_back({name, waiting.count(name) > 0});
  }
  return kernels;
}

// The end of the word that starts at or after `from`, after spaces; `from` when there is none.
static size_t skipWord(const std::string& text, size_t from) {
  size_t at = from;
  while (at < text.size() && isspace(static_cast<unsigned char>(text[at])) != 0) at++;
  size_t end = at;
  while (end < text.size() && isWord(text[end])) end++;
  return end == at ? from : end;
}

std::string replaceDynamicShared(const std::string& text) {
  const std::string external = "extern", shared = "__shared__", aligned = "__align__";
  std::string replaced;
  size_t copied = 0;
  for (size_t at = text.find(external); at != std::string::npos; at = text.find(external, at + 1)) {
    size_t from = skipWord(text, at + external.size());
    if (from < shared.size() || text.compare(from - shared.size(), shared.size(), shared) != 0) continue;
    const size_t word = skipWord(text, from);
    if (word >= aligned.size() && text.compare(word - aligned.size(), aligned.size(), aligned) == 0)
      from = text.find(')', word) + 1;
    const size_t bracket = text.find('[', from), end = text.find(';', from);
    if (bracket == std::string::npos || end == std::string::npos || bracket > end) continue;
    size_t nameEnd = bracket;
    while (isspace(static_cast<unsigned char>(text[nameEnd - 1])) != 0) nameEnd--;
    size_t name = nameEnd;
    while (isWord(text[name - 1])) name--;
    const std::string type = text.substr(from, name - from);
    replaced += text.substr(copied, at - copied) + type + "* const " + text.substr(name, nameEnd - name) + " = (" + type +
                "*)fake_dynamic_shared;";
    copied = end + 1;
  }
  return replaced + text.substr(copied);
}

}  // namespace fake
