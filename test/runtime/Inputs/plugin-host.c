/* Primes without a plugin, with it, after it, and with it once more. */
#include <dlfcn.h>
#include <kplan/kplan.h>
#include <stdio.h>

static void *openPlugin(const char *Path) {
  void *Plugin = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
  fprintf(stderr, "%s\n", Plugin ? "opened" : dlerror());
  return Plugin;
}

int main(int Count, char **Arguments) {
  void *Plugin;
  if (Count != 2)
    return 2;
  kplan_prime(NULL, NULL);
  Plugin = openPlugin(Arguments[1]);
  kplan_prime(NULL, NULL);
  dlclose(Plugin);
  fprintf(stderr, "closed\n");
  kplan_prime(NULL, NULL);
  openPlugin(Arguments[1]);
  kplan_prime(NULL, NULL);
  return 0;
}
