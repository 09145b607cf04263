// Prints the content id of an image in a file.
#include "image/Image.h"
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main(int, char **Arguments) {
  std::ifstream In(Arguments[1], std::ios::binary);
  std::string Text{std::istreambuf_iterator<char>(In), {}};
  auto Identity = kplan::image::identify(kplan::image::ByteView(Text));
  if (!Identity)
    return 1;
  std::puts(kplan::image::contentId(Identity->Bytes).c_str());
}
