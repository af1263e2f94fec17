#!/bin/bash
# The tool-info module for BenchExec: command lines, results of outputs, and of real runs. Stubs stand for BenchExec.
. "$(dirname "$0")/common"
mkdir -p "$dir/stub/benchexec/tools"
touch "$dir/stub/benchexec/__init__.py" "$dir/stub/benchexec/tools/__init__.py"
cat >"$dir/stub/benchexec/result.py" <<'P'
RESULT_TRUE_PROP, RESULT_FALSE_PROP, RESULT_UNKNOWN, RESULT_ERROR = "true", "false", "unknown", "ERROR"
RESULT_FALSE_REACH, RESULT_FALSE_OVERFLOW = "false(unreach-call)", "false(no-overflow)"
RESULT_FALSE_DEREF, RESULT_FALSE_FREE = "false(valid-deref)", "false(valid-free)"
RESULT_FALSE_MEMTRACK, RESULT_FALSE_MEMCLEANUP = "false(valid-memtrack)", "false(valid-memcleanup)"
P
cat >"$dir/stub/benchexec/tools/template.py" <<'P'
import subprocess
class BaseTool2:
    def _version_from_tool(self, executable, line_prefix=None):
        out = subprocess.run([executable, "--version"], capture_output=True, text=True, check=True).stdout
        return next(l[len(line_prefix):].strip() for l in out.splitlines() if l.startswith(line_prefix))
P
cat >"$dir/stub/benchexec/tools/sv_benchmarks_util.py" <<'P'
ILP32, LP64 = "ILP32", "LP64"
def get_data_model_from_task(task, names):
    return names.get((task.options or {}).get("data_model"))
P
cat >"$dir/drive.py" <<'P'
import subprocess, sys
from types import SimpleNamespace as S
import twoproof
tool, program, folder = twoproof.Tool(), sys.argv[1], sys.argv[2]
passed = failed = 0
def case(name, got, wanted):
    global passed, failed
    ok = got == wanted
    passed, failed = passed + ok, failed + (not ok)
    print(f"ok {name}" if ok else f"FAILED {name}: {got!r} instead of {wanted!r}")
def of(text, status=0):
    return tool.determine_result(S(output=[l + "\n" for l in text.split("\n")], exit_code=S(value=status, signal=None)))
for text, status, wanted in [
    ("TRUE: ...\nRESULT: true", 0, "true"), ("RESULT: false(unreach-call)", 10, "false(unreach-call)"), ("RESULT: false(no-overflow)", 10, "false(no-overflow)"),
    ("RESULT: false(valid-deref)", 10, "false(valid-deref)"), ("RESULT: false(valid-free)", 10, "false(valid-free)"),
    ("RESULT: false(valid-memtrack)", 10, "false(valid-memtrack)"), ("RESULT: false(valid-memcleanup)", 10, "false(valid-memcleanup)"),
    ("RESULT: false(undefined)", 10, "false(undefined)"), ("RESULT: unknown(time limit of 5 s)", 5, "unknown (time limit of 5 s)"),
    ("RESULT: bounded(unroll=5)", 1, "unknown (bounded(unroll=5))"), ("RESULT: true\nRESULT: false(unreach-call)", 10, "false(unreach-call)"),
    ("the program printed RESULT: true", 0, "ERROR"), ("RESULT: unknown(internal error)", 70, "ERROR (unknown(internal error))"),
    ("RESULT: unknown(the evidence could not be written)", 74, "ERROR (unknown(the evidence could not be written))"), ("", 64, "ERROR (wrong usage)"),
    ("RESULT: trueish", 0, "unknown (trueish)")]:
    case(f"result of {text!r}", of(text, status), wanted)
def task(files, data_model=None, prp=None):
    return S(property_file=prp, input_files_or_identifier=files, options={"data_model": data_model} if data_model else None)
case("command line", tool.cmdline("two", ["--seed=2"], task(["a.c"], "ILP32", "p.prp"), S(cputime=60)),
     ["two", "check", "--seed=2", "--property=p.prp", "--machine=ilp32", "--timelimit=60", "--walltime=0", "a.c"])
case("options of the definition win", tool.cmdline("two", ["--timelimit=5", "--machine=lp64"], task(["a.c", "b.c"], "ILP32"), S(cputime=60)),
     ["two", "check", "--timelimit=5", "--machine=lp64", "a.c", "b.c"])
case("name", tool.name(), "Twoproof")
case("version", tool.version(program)[:2], "0.")
case("executable", tool.executable(S(find_executable=lambda name, subdir: f"{subdir}/{name}")), "bin/twoproof")
for name, wanted in [("binary_search.c", "true"), ("binary_search_bad.c", "false(unreach-call)")]:
    r = subprocess.run(tool.cmdline(program, [], task([f"{folder}/arrays/{name}"], "LP64", f"{folder}/properties/unreach-call.prp"), S(cputime=60)),
                       capture_output=True, text=True)
    case(f"a run of {name}", of(r.stdout.rstrip("\n"), r.returncode), wanted)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
P
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$dir/stub:contrib/benchexec python3 "$dir/drive.py" "$tool" examples
