# One configuration for all lit suites. What a suite needs beyond this stands
# in its own lit.local.cfg. `kplan_*` values come from lit.site.cfg.py, which
# CMake writes into the build folder.
import os
import shutil
import lit.formats

config.name = "kplan"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test", ".cu", ".cpp", ".c", ".yaml"]
config.excludes = ["Inputs", "standin", "CMakeLists.txt", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.kplan_build, "test")

# A test sees no setting of the user's.
for name in list(os.environ):
    if name.startswith("KPLAN_"):
        config.environment.pop(name, None)
config.environment["KPLAN_CACHE"] = "off"
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.kplan_build, "bin"), config.kplan_llvm_tools,
     config.environment.get("PATH", os.environ["PATH"])])
# The build's toolkit, which may be one that only the build folder knows.
if config.kplan_cuda_root:
    config.environment["CUDA_HOME"] = config.kplan_cuda_root
    config.environment["PATH"] += os.pathsep + os.path.join(config.kplan_cuda_root, "bin")
config.environment["LC_ALL"] = "C.UTF-8"

config.substitutions += [
    ("%kplan_build", config.kplan_build),
    ("%kplan_source", config.kplan_source),
    ("%cuda_include", config.kplan_cuda_include),
    ("%cuda_root", config.kplan_cuda_root),
    ("%nvcc", config.kplan_nvcc),
    ("%cc", config.kplan_cc),
    ("%cxx", config.kplan_cxx),
    ("%python", shutil.which("python3") or "python3"),
]
for feature in config.kplan_features:
    config.available_features.add(feature)
