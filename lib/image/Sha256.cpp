//===- Sha256.cpp - Checksums of compiled code ----------------------------===//

#include "image/Sha256.h"

// These functions are the small, separate part of the library; the interface
// that replaces them brings all of it along.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

std::string kplan::image::sha256(ByteView Bytes) {
  unsigned char Digest[SHA256_DIGEST_LENGTH];
  SHA256_CTX Context;
  SHA256_Init(&Context);
  SHA256_Update(&Context, Bytes.data(), Bytes.size());
  SHA256_Final(Digest, &Context);
  std::string Out;
  for (unsigned char Byte : Digest) {
    Out += "0123456789abcdef"[Byte >> 4];
    Out += "0123456789abcdef"[Byte & 15];
  }
  return Out;
}
