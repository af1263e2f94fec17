#!/bin/bash
# bench over many small tasks: what it costs beside the verifier, and a run that is killed at random moments against one that is not. TP_SOAK=1: 5,000 tasks, thirty kills.
. "$(dirname "$0")/common"
n_tasks=${TP_SOAK:+5000} n_kills=${TP_SOAK:+30}
cat >"$dir/volume.py" <<'P'
import os, random, resource, signal, sqlite3, subprocess, sys, time
tool, top, n, kills = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
tasks = os.path.join(top, "many")
os.makedirs(tasks)
open(os.path.join(tasks, "unreach-call.prp"), "w").write("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
for i in range(n):
    condition, verdict = ((f"n == {i}", "false"), (f"n == {i} && n > {i + 1}", "true"), (f"(n & 7) == {i % 8} && n % 8 != {i % 8} && n >= 0", "true"), (f"x > {i % 50}", "false" if i % 50 < 9 else "true"))[i % 4]
    open(os.path.join(tasks, f"t{i}.c"), "w").write(
        "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n"
        f"int main(void) {{\n  int n = __VERIFIER_nondet_int(), x = 0;\n  for (int i = 0; i < 9; i++) x++;\n  if ({condition}) reach_error();\n  return 0;\n}}\n")
    open(os.path.join(tasks, f"t{i}.yml"), "w").write(
        f"format_version: '2.0'\ninput_files: 't{i}.c'\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: {verdict}\noptions:\n  language: C\n  data_model: LP64\n")
def command(store): return [tool, "bench", f"--store={os.path.join(top, store)}", "--label=a", tasks]
def rows(store): return sqlite3.connect(os.path.join(top, store)).execute("select task, property, verdict, grade, certificate from runs order by task").fetchall()
def used():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime
before, start = used(), time.time()
subprocess.run(command("whole.db"), stdout=subprocess.DEVNULL, check=True)
took = time.time() - start
in_tasks = sqlite3.connect(os.path.join(top, "whole.db")).execute("select sum(cpu_s) from runs").fetchone()[0]
overhead_ms = 1000 * (used() - before - in_tasks) / n
random.seed(7)
for _ in range(kills):
    p = subprocess.Popen(command("killed.db"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(random.uniform(0.02, 0.9 * took / kills))
    p.send_signal(signal.SIGKILL)
    p.wait()
done = len(rows("killed.db")) if os.path.exists(os.path.join(top, "killed.db")) else 0
subprocess.run(command("killed.db"), stdout=subprocess.DEVNULL, check=True)
a, b = rows("whole.db"), rows("killed.db")
print(f"{n} tasks in {took:.0f} s, {overhead_ms:.2f} ms of CPU beside each; {kills} kills, {done} tasks done by then; equal: {a == b}; each once: {len(b) == n}")
right = sum(r[3] == "right" for r in a)
print(f"{right} of {len(a)} right")
sys.exit(0 if a == b and len(b) == n and right == n and overhead_ms < 10 else 1)
P
expect "a killed run equals one that was not" 0 "" python3 "$dir/volume.py" "$tool" "$dir" "${n_tasks:-24}" "${n_kills:-3}"
cat "$dir/out"
finish
