#include <dlfcn.h>
int main(int, char **Arguments) {
  return dlopen(Arguments[1], RTLD_NOW) ? 0 : 1;
}
