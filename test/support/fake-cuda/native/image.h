// The fake "cubin" and "PTX": a shared library with a head that tells its size and whether it is
// whole; as PTX, the same in hexadecimal digits.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace fake {

constexpr char imageMagic[] = "FAKECUBIN1";
constexpr char ptxMagic[] = "// fake ptx ";
constexpr size_t headBytes = sizeof imageMagic + 16;

inline uint64_t hashOf(const void* data, size_t bytes, uint64_t hash = 0xcbf29ce484222325ull) {
  const auto* byte = static_cast<const unsigned char*>(data);
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ byte[i]) * 0x100000001b3ull;
  return hash;
}

inline std::vector<unsigned char> writeImage(const std::vector<unsigned char>& library) {
  std::vector<unsigned char> image(headBytes);
  const uint64_t size = library.size(), hash = hashOf(library.data(), library.size());
  memcpy(image.data(), imageMagic, sizeof imageMagic);
  memcpy(image.data() + sizeof imageMagic, &size, 8);
  memcpy(image.data() + sizeof imageMagic + 8, &hash, 8);
  image.insert(image.end(), library.begin(), library.end());
  return image;
}

inline std::string writePtx(const std::vector<unsigned char>& image) {
  std::string text = ptxMagic;
  char digits[3];
  for (const unsigned char byte : image) {
    snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  return text;
}

inline bool readBinaryImage(const unsigned char* image, std::vector<unsigned char>* library) {
  if (memcmp(image, imageMagic, sizeof imageMagic) != 0) return false;
  uint64_t size, hash;
  memcpy(&size, image + sizeof imageMagic, 8);
  memcpy(&hash, image + sizeof imageMagic + 8, 8);
  if (size > (64u << 20)) return false;
  library->assign(image + headBytes, image + headBytes + size);
  return hashOf(library->data(), library->size()) == hash;
}

// False when the image is not one of ours or was damaged.
inline bool readImage(const void* image, std::vector<unsigned char>* library) {
  const char* text = static_cast<const char*>(image);
  if (strncmp(text, ptxMagic, sizeof ptxMagic - 1) != 0)
    return readBinaryImage(static_cast<const unsigned char*>(image), library);
  std::vector<unsigned char> bytes;
  for (const char* digit = text + sizeof ptxMagic - 1; digit[0] != 0 && digit[1] != 0; digit += 2) {
    unsigned value;
    if (sscanf(digit, "%2x", &value) != 1) return false;
    bytes.push_back(static_cast<unsigned char>(value));
  }
  return bytes.size() > headBytes && readBinaryImage(bytes.data(), library);
}

}  // namespace fake
