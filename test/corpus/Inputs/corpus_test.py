import pathlib
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import corpus

TEXT = '''// k<<<1, 1>>>();
const char *s = "cudaLaunchKernel(";
#define GO(k) \\
  k<<<1, 1>>>()
__global__ void parent() { child<<<1, 1>>>(); }
void host() {
  cudaFuncSetAttribute(
      k, a, 1);
  k
    <<<1, 1>>>();
  if constexpr (N > 1) { late<<<1, 1>>>(); }
  int x = 1'000 << 3;
}
'''
sites = list(corpus.lexical_sites(TEXT))
for s in sites:
    print("site", *s)
found, templates = {("set", 7), ("launch", 9)}, set()
count, bad = corpus.classify(sites, found, templates, None)
print("count", sorted(count.items()), bad)
plain = [("launch", 3, 3, "")]
print("template", dict(corpus.classify(plain, set(), {("launch", 3)}, {3})[0]))
print("if", dict(corpus.classify(plain, set(), set(), {2})[0]))
print("unexplained", corpus.classify(plain, set(), set(), {3})[1])
print("other kind", corpus.classify(plain, {("set", 3)}, set(), None)[1])

files = [f"f{n}.cu" for n in range(50)]
same = corpus.draw(files, 10, 1)
print("draw", len(set(same)), same == corpus.draw(files[::-1], 10, 1), same == corpus.draw(files, 10, 2),
      same[:5] == corpus.draw(files, 5, 1))
with tempfile.TemporaryDirectory() as d:
    list_ = pathlib.Path(d, "p.tsv")
    list_.write_text("# name\na\thttps://x/a\t12\t3\t*.cu\t-O3\tsm_90\t\n")
    print("project", corpus.read_projects(list_))
