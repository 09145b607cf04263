// Tables: a C array at file scope, a static local, std::array, a vector, a map.
// RUN: %plan %s | FileCheck %s
#include <array>
#include <map>
#include <vector>
template <int N> __global__ void k(int *) {}
using Fn = void (*)(int *);
static Fn table[2] = {k<1>, k<2>};
void go(int i) {
  static const std::array<Fn, 2> array = {k<3>, k<4>};
  std::vector<Fn> vector{k<5>};
  vector.push_back(k<6>);
  std::map<int, Fn> map{{1, k<7>}};
  map[2] = k<8>;
  Fn unused[] = {k<9>};
  (void)unused;
  table[i]<<<1, 1>>>(nullptr);
  array[i]<<<1, 1>>>(nullptr);
  vector.at(i)<<<1, 1>>>(nullptr);
  map.at(i)<<<1, 1>>>(nullptr);
  map.find(i)->second<<<1, 1>>>(nullptr);
  for (Fn f : {k<10>, k<11>})
    f<<<1, 1>>>(nullptr);
}
// CHECK:     symbol: _Z1kILi10EEvPi
// CHECK:     symbol: _Z1kILi11EEvPi
// CHECK:     symbol: _Z1kILi1EEvPi
// CHECK:     symbol: _Z1kILi2EEvPi
// CHECK:     symbol: _Z1kILi3EEvPi
// CHECK:     symbol: _Z1kILi4EEvPi
// CHECK:     symbol: _Z1kILi5EEvPi
// CHECK:     symbol: _Z1kILi6EEvPi
// CHECK:     symbol: _Z1kILi7EEvPi
// CHECK:     symbol: _Z1kILi8EEvPi
// CHECK-NOT: {{symbol|unresolved}}:
