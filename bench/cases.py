"""What runners of third-party suites share (juliet/run, toyota/run): `twoproof check` on a case, and the counts of how the cases were judged."""
import collections, concurrent.futures, json, os, subprocess, time

TOOL = os.environ.get("TWOPROOF", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../build/twoproof"))


def check(prop, limit, arguments):
    """(answer of check as JSON, seconds on the clock, where and what as text); without an answer its verdict says so."""
    start = time.time()
    done = subprocess.run([TOOL, "check", "--format=json", f"--property={prop}", f"--timelimit={limit}", *arguments], capture_output=True, text=True)
    wall = time.time() - start
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        answer = {"verdict": f"no answer, status {done.returncode}"}
    place = answer.get("position") or {}
    at = f"{os.path.basename(str(place.get('file', '')))}:{place.get('line', '')} {answer.get('message', '')}"
    return answer, wall, at


def without_flaw(verdict):
    """What a verdict on a half without flaw counts as."""
    return {"true": "proved", "false": "wrong"}.get(verdict, "open")


def report(name, half, answer, kind, wall, at):
    why = str(answer.get("reason") or answer.get("why") or "")[:150]
    return f"{name}\t{half}\t{answer.get('verdict')}\t{kind}\t{wall:.2f}\t{at}\t{why}"


def run(judge, cases, jobs):
    """Prints a line for each case; judge(case) returns (line, kind). Returns whether a half without flaw got a false verdict."""
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for line, kind in pool.map(judge, cases):
            print(line, flush=True)
            counts[kind] += 1
    print("  ".join(f"{k} {n}" for k, n in sorted(counts.items())))
    return counts["wrong"] > 0
