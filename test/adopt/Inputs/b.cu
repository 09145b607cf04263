// Another image; `first` is in both.
extern "C" __global__ void first(int *P) { *P = 4; }
extern "C" __global__ void deep(int *P) {
  int Frame[1000];
  for (int I = 0; I < 1000; ++I)
    Frame[I] = *P * I;
  *P = Frame[*P];
}
