"""Cases of test/cli/lsp.sh. usage: lsp_cases.py TOOL FOLDER [NAME...]: those cases only"""
import json
import os
import random
import signal
import subprocess
import sys
import time

from lsp_client import Client, uri_of

TOOL, FOLDER = sys.argv[1:3]
ONLY = sys.argv[3:]
CASES = []

PROGRAM = """#include <assert.h>
int __VERIFIER_nondet_int(void);
static int largest(const int *a, int n) {
  int m = 0;
  for (int i = 1; i < n; i++) if (a[i] > a[m]) m = i;
  return a[m];
}
int main(void) {
  int a[4];
  for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
  assert(largest(a, SIZE) >= a[0]);
  return 0;
}
"""
LIBRARY = """int find(const char *s, int n, char c) {
  for (int i = 0; i <= n; i++) if (s[i] == c) return i;
  return -1;
}
static unsigned step(unsigned x) { return x + 1; }
unsigned twice(unsigned x) { return step(step(x)); }
unsigned zero(void) { return 0; }
"""
LOOP = """#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
  while (i < n) {
    i++;
    j++;
  }
  assert(i == j);
  return 0;
}
"""
# Factors of a product of two large primes: nothing here finds them in minutes.
LONG = """#include <assert.h>
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
  unsigned long n = 1000000016000000063UL;
  if (a > 1 && b > 1 && a < 4294967296UL && b < 4294967296UL) assert(a * b != n);
  return 0;
}
"""


def case(function):
    CASES.append(function)
    return function


def need(condition, what):
    if not condition:
        raise AssertionError(what)


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(text)
    return path


def verdicts(result):
    return {t["name"]: {r["property"]: r["verdict"] for r in t["results"]} for t in result["targets"]}


def descendants(pid):
    found = []
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            children = [int(c) for c in f.read().split()]
    except OSError:
        return found
    for child in children:
        found += [child] + descendants(child)
    return found


def workers(client):
    """Processes below the server but the one that removes its folder at the end."""
    below = descendants(client.server.pid)
    direct = []
    with open(f"/proc/{client.server.pid}/task/{client.server.pid}/children", encoding="ascii") as f:
        direct = [int(c) for c in f.read().split()]
    return [p for p in below if p != min(direct)] if direct else []


def message(body):
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def code(value):
    return value["error"]["code"]


# ---------------------------------------------------------------------- frames
HELLO = message(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{}}}')
BYE = message(b'{"jsonrpc":"2.0","id":9,"method":"shutdown"}') + message(b'{"jsonrpc":"2.0","method":"exit"}')
UNKNOWN = b'{"jsonrpc":"2.0","id":2,"method":"textDocument/none","params":[1]}'
# what is sent between initialize and shutdown, the codes of the errors that come back
BROKEN = {
    "no JSON": (message(b'{"jsonrpc":'), [-32700]),
    "truncated JSON": (message(b'{"jsonrpc":"2.0","id":2,"method":"text'), [-32700]),
    "invalid UTF-8": (message(b'{"jsonrpc":"2.0","id":2,"method":"\xff\xfe"}'), [-32700]),
    "an escape that is none": (message(b'{"jsonrpc":"2.0","id":2,"method":"\\ud800"}'), [-32700]),
    "nothing": (message(b""), [-32700]),
    "a number": (message(b"7"), [-32700]),
    "too deep": (message(b"[" * 100000 + b"]" * 100000), [-32700]),
    "a list": (message(b"[]"), [-32600]),
    "no method": (message(b'{"jsonrpc":"2.0","id":2}'), [-32600]),
    "another version": (message(b'{"jsonrpc":"1.0","id":2,"method":"shutdown"}'), [-32600]),
    "an id that is none": (message(b'{"jsonrpc":"2.0","id":[],"method":"textDocument/hover"}'), [-32600]),
    "parameters that are none": (message(b'{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":7}'), [-32600]),
    "an unknown request": (message(b'{"jsonrpc":"2.0","id":2,"method":"textDocument/rename","params":{}}'), [-32601]),
    "an unknown request of the protocol": (message(b'{"jsonrpc":"2.0","id":"x","method":"$/none"}'), [-32601]),
    "an unknown notification": (message(b'{"jsonrpc":"2.0","method":"$/none"}'), []),
    "a notification as a request": (message(b'{"jsonrpc":"2.0","id":2,"method":"textDocument/didOpen","params":{}}'), [-32601]),
    "a hover without parameters": (message(b'{"jsonrpc":"2.0","id":2,"method":"textDocument/hover"}'), [-32602]),
    "a hover of a negative line": (
        message(b'{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a.c"},"position":{"line":-1,"character":0}}}'),
        [-32602],
    ),
    "an action without range": (message(b'{"jsonrpc":"2.0","id":2,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"x"}}}'), [-32602]),
    "a command that is none": (message(b'{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":{"command":"rm"}}'), [-32602]),
    "a document without text": (message(b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.c"}}}'), []),
    "a document with a number as text": (
        message(b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.c","text":7}}}'),
        [],
    ),
    "a URI that is none": (message(b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///%zz","text":""}}}'), []),
    "a change of what is not open": (message(b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///n.c"}}}'), []),
    "a second initialize": (message(b'{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}'), [-32600]),
    "a response nobody waits for": (message(b'{"jsonrpc":"2.0","id":77,"result":null}'), []),
    "a cancel of nothing": (message(b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":55}}'), []),
    "no length": (b"Content-Type: x\r\n\r\n", [-32700]),
    "a line that is no header": (b"hello\r\n\r\n", [-32700]),
    "a length that is no number": (b"Content-Length: many\r\n\r\n", [-32700]),
    "a negative length": (b"Content-Length: -5\r\n\r\n", [-32700]),
    "a huge length": (b"Content-Length: 99999999999999999999999\r\n\r\n", [-32700]),
    "a length nobody sends": (b"Content-Length: 9000000000\r\n\r\nabc", [-32700]),
    "a message that is too long": (message(b'"' + b"x" * (65 << 20) + b'"'), [-32700]),
    "a header that is too long": (b"X" * 20000 + b"\r\n\r\n", [-32700]),
    "another charset": (b"Content-Length: 2\r\nContent-Type: a; charset=latin-1\r\n\r\n{}", [-32700]),
    "small letters, spaces": (b"content-length:   %d  \r\nX: y\r\n\r\n%s" % (len(UNKNOWN), UNKNOWN), [-32601]),
    "line ends without carriage returns": (b"Content-Length: %d\n\n%s" % (len(UNKNOWN), UNKNOWN), [-32601]),
}


def run_raw(data, chunk=None):
    """Everything that the server answers to these bytes, and its status."""
    server = subprocess.Popen([TOOL, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    if chunk:
        for i in range(0, len(data), chunk):
            server.stdin.write(data[i : i + chunk])
            server.stdin.flush()
    out, _ = server.communicate(None if chunk else data, timeout=60)
    answers = []
    while out:
        head, _, rest = out.partition(b"\r\n\r\n")
        n = int(head.split(b":")[1])
        answers.append(json.loads(rest[:n]))
        out = rest[n:]
    return answers, server.returncode


def errors(answers):
    return [code(a) for a in answers if "error" in a]


@case
def broken_input_gets_the_codes_of_the_protocol():
    for name, (data, codes) in BROKEN.items():
        answers, status = run_raw(HELLO + data + BYE)
        need(status == 0, f"{name}: status {status}")
        need(errors(answers) == codes, f"{name}: {errors(answers)} instead of {codes}")
        need([a for a in answers if a.get("id") == 1 and "result" in a], f"{name}: no answer to initialize")
        need([a for a in answers if a.get("id") == 9 and "result" in a], f"{name}: no answer to shutdown")


@case
def damaged_streams_end_the_server_in_order():
    open_it = message(b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///nowhere/a.h","version":1,"text":"int a;\\n"}}}')
    edit = message(b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///nowhere/a.h","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":3}},"text":"x"}]}}')
    ask = message(b'{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///nowhere/a.h"},"position":{"line":0,"character":1}}}')
    act = message(b'{"jsonrpc":"2.0","id":3,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:///nowhere/a.h"},"range":{"start":{"line":0,"character":1},"end":{"line":9,"character":1}},"context":{"diagnostics":[]}}}')
    whole = HELLO + open_it + edit + ask + act + BYE
    dice = random.Random(4711)
    for turn in range(25):
        data = bytearray(whole)
        for _ in range(dice.randint(1, 12)):
            at = dice.randrange(len(data))
            what = dice.randrange(4)
            if what == 0:
                data[at] = dice.randrange(256)
            elif what == 1:
                del data[at : at + dice.randint(1, 30)]
            elif what == 2:
                data[at:at] = bytes(dice.randrange(256) for _ in range(dice.randint(1, 30)))
            else:
                data[at:at] = dice.choice([b"-1", b"99999999999999999999", b"null", b"{}", b"[]", b"\r\n\r\n", b"\x00"])
        answers, status = run_raw(bytes(data))
        need(status in (0, 1), f"turn {turn}: status {status}")


@case
def bytes_may_come_one_by_one():
    answers, status = run_raw(HELLO + BROKEN["an unknown request"][0] + BYE, chunk=1)
    need(status == 0 and errors(answers) == [-32601], f"{status} {answers}")


@case
def before_initialize_and_after_shutdown():
    answers, status = run_raw(message(b'{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{}}') + message(b'{"jsonrpc":"2.0","method":"initialized","params":{}}') + HELLO + BYE)
    need(status == 0 and errors(answers) == [-32002], f"{answers}")
    late = message(b'{"jsonrpc":"2.0","id":4,"method":"textDocument/hover","params":{}}')
    answers, status = run_raw(HELLO + BYE.split(b"Content-Length: 33")[0] + late + message(b'{"jsonrpc":"2.0","method":"exit"}'))
    need(status == 0 and errors(answers) == [-32600], f"late: {status} {answers}")
    need(run_raw(message(b'{"jsonrpc":"2.0","method":"exit"}'))[1] == 1, "exit without shutdown")
    need(run_raw(HELLO)[1] == 1, "end of the stream")
    answers, status = run_raw(HELLO + b"Content-Length: 500\r\n\r\n{")
    need(status == 1 and errors(answers) == [-32700], "end inside of a message")


# ---------------------------------------------------------------- diagnostics
def project(name):
    folder = os.path.join(FOLDER, name)
    os.makedirs(folder, exist_ok=True)
    return folder


@case
def a_failure_has_its_place_path_and_weakness():
    folder = project("failure")
    path = write(folder, "a b ü.c", PROGRAM.replace("SIZE", "5"))
    c = Client(TOOL, folder)
    c.open(path)
    result = c.check(path)
    need(verdicts(result)["main"] == {"unreach-call": "unknown", "valid-memsafety": "false", "undefined": "unknown"}, result)
    found = c.diagnostics(path)
    need(len(found) == 1, found)
    d = found[0]
    need(d["severity"] == 1 and d["source"] == "twoproof" and d["code"] == "CWE-125", d)
    need(d["range"] == {"start": {"line": 4, "character": 34}, "end": {"line": 4, "character": 35}}, d["range"])
    need("valid-deref is violated: read of a[i]" in d["message"], d["message"])
    steps = [r["message"] for r in d["relatedInformation"]]
    need("declared here" in steps and any("call of largest" in s for s in steps), steps)
    need(all(r["location"]["uri"] == uri_of(path) for r in d["relatedInformation"]), d)
    versions = [m["params"]["version"] for m in c.seen if m.get("method") == "textDocument/publishDiagnostics"]
    need(versions and set(versions) == {1}, versions)
    # the twin is safe
    c.save(path, PROGRAM.replace("SIZE", "4"))
    need(set(verdicts(c.check(path))["main"].values()) == {"true"}, "the twin")
    need(c.diagnostics(path) == [], "diagnostics of the twin")
    need(c.end() == 0, "status")


@case
def the_failing_input_becomes_a_test_that_fails():
    folder = project("tests")
    for name, text, line, target, prop in (("lib.c", LIBRARY, 1, "find", "valid-deref"), ("prog.c", PROGRAM.replace("SIZE", "5"), 4, "main", "valid-memsafety")):
        wanted = f"{name[:-2]}-{target}-{prop}"
        path = write(folder, name, text)
        c = Client(TOOL, folder, settings={"property": prop})
        c.open(path)
        c.check(path)
        here = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 1}}
        where = {"textDocument": {"uri": uri_of(path)}, "range": here, "context": {"diagnostics": []}}
        actions = c.request("textDocument/codeAction", where)
        need(len(actions) == 1 and actions[0]["kind"] == "quickfix", actions)
        changes = actions[0]["edit"]["documentChanges"]
        made = [x["uri"] for x in changes if x.get("kind") == "create"]
        need(any(u.endswith(f"/twoproof-tests/{wanted}/harness.c") for u in made), made)
        for x in changes:  # as an editor would
            if "edits" in x:
                from urllib.parse import unquote
                write("/", unquote(x["textDocument"]["uri"][len("file://") :]).lstrip("/"), x["edits"][0]["newText"])
        script = os.path.join(folder, "twoproof-tests", wanted, "run.sh")
        run = subprocess.run(["sh", script], capture_output=True, timeout=60)
        need(run.returncode == 107, f"{name}: {run}")
        # the same by the command, for editors without edits that make files
        for f in os.listdir(os.path.dirname(script)):
            os.remove(os.path.join(os.path.dirname(script), f))
        done = c.request("workspace/executeCommand", {"command": "twoproof.writeTest", "arguments": [uri_of(path), target, prop]})
        need(os.path.samefile(os.path.dirname(script), done["folder"]), done)
        need(subprocess.run(done["run"], shell=True, capture_output=True, timeout=60).returncode == 107, "written by the server")
        # the test of a mended program passes
        write(folder, name, text.replace("i <= n", "i < n").replace("largest(a, 5)", "largest(a, 4)"))
        need(subprocess.run(["sh", script], capture_output=True, timeout=60).returncode != 107, "mended")
        bad = c.request("workspace/executeCommand", {"command": "twoproof.writeTest", "arguments": [uri_of(path), target, "no-such"]})
        need(bad["code"] == -32803, bad)
        elsewhere = dict(where, range={"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}})
        need(c.request("textDocument/codeAction", elsewhere) == [], "an action elsewhere")
        need(c.end() == 0, "status")


@case
def hovers_have_what_is_proved():
    folder = project("hover")
    path = write(folder, "loop.c", LOOP)
    c = Client(TOOL, folder)
    c.open(path)
    c.check(path)
    text = c.hover(path, 4, 3)
    need(text and "Invariant of the loop" in text and "i == j" in text.replace("j == i", "i == j") and "unreach-call" in text, text)
    need(c.hover(path, 5, 5) is None, "a line without loop")
    need("**true**" in c.hover(path, 2, 5), "verdicts at main")
    # a line above: the invariant moves with its loop, before anything is verified again
    c.change(path, [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "// one\n// two\n"}])
    need(c.hover(path, 5, 3) is None and "i == j" in c.hover(path, 6, 3).replace("j == i", "i == j"), "after an edit")
    need(c.end() == 0, "status")


@case
def only_what_changed_is_verified_again():
    folder = project("kept")
    path = write(folder, "lib.c", LIBRARY)
    c = Client(TOOL, folder, settings={"property": "valid-deref"})
    c.open(path)
    first = c.check(path)
    need((first["verified"], first["kept"]) == (3, 0), first)
    before = c.diagnostics(path)
    steps = [
        ("a comment", lambda t: "/* a comment */\n" + t, 0, 3),
        ("a comment inside", lambda t: t.replace("return -1;", "return -1;  // none"), 0, 3),
        ("an unused function", lambda t: t + "static int unused(int q) { return q / 2; }\n", 0, 3),
        ("a callee", lambda t: t.replace("x + 1", "x + 2"), 1, 2),
        ("a function", lambda t: t.replace("return 0;", "return 1;"), 1, 2),
        ("a type", lambda t: t.replace("unsigned x", "unsigned short x"), 1, 2),
        ("a new function", lambda t: t + "int more(int a) { return a; }\n", 1, 3),
        ("a macro that is used", lambda t: "#define find locate\n" + t, 1, 3),
    ]
    text = LIBRARY
    for name, edit, verified, kept in steps:
        text = edit(text)
        mark = len(c.seen)
        c.save(path, text)
        result = c.check(path)
        need((result["verified"], result["kept"]) == (verified, kept), f"{name}: {result['verified']} verified, {result['kept']} kept")
        log = c.logged(mark)
        need(sum("kept, nothing that it reaches has changed" in m for m in log) == kept, f"{name}: {log}")
    now = c.diagnostics(path)
    need(len(now) == len(before) == 1, now)
    moved = now[0]["range"]["start"]["line"] - before[0]["range"]["start"]["line"]
    need(moved == 2, f"the diagnostic moved by {moved} lines")
    # other options are another question
    c.configure({"property": "no-overflow"})
    result = c.check(path)
    need({p for t in verdicts(result).values() for p in t} == {"no-overflow"}, result)
    need(c.end() == 0, "status")


@case
def globals_and_macros_count():
    folder = project("globals")
    header = write(folder, "limit.h", "#define LIMIT 4\n")
    text = '#include "limit.h"\nstatic int room[LIMIT];\nstatic int last = 3;\nint get(void) { return room[last]; }\nint none(void) { return 0; }\n'
    path = write(folder, "g.c", text)
    c = Client(TOOL, folder, settings={"property": "valid-deref"})
    c.open(path)
    need(verdicts(c.check(path))["get"]["valid-deref"] == "true", "at first")
    c.save(path, text.replace("last = 3", "last = 4"))
    result = c.check(path)
    need(verdicts(result)["get"]["valid-deref"] == "false" and result["kept"] == 1, f"an initial value: {result}")
    c.save(path, text)
    need(verdicts(c.check(path))["get"]["valid-deref"] == "true", "back")
    write(folder, "limit.h", "#define LIMIT 3\n")
    c.open(header)
    c.save(header)
    result = c.check(path)
    need(verdicts(result)["get"]["valid-deref"] == "false" and result["kept"] == 1, f"a header: {result}")
    need(c.end() == 0, "status")


@case
def the_last_answer_is_stale_until_the_next():
    folder = project("stale")
    path = write(folder, "a.c", PROGRAM.replace("SIZE", "5"))
    c = Client(TOOL, folder, settings={"property": "valid-deref"})
    c.open(path)
    c.check(path)
    mark = len(c.seen)
    c.save(path, "\n" + PROGRAM.replace("SIZE", "6"))
    first = c.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics", since=mark)["params"]
    need(first["version"] == 2 and len(first["diagnostics"]) == 1, first)
    d = first["diagnostics"][0]
    need(d["message"].startswith("(stale: ") and d["tags"] == [1] and d["data"]["stale"], d)
    need(d["range"]["start"]["line"] == 5, "the stale one is where its line is now")
    c.check(path)
    d = c.diagnostics(path)[0]
    need("stale" not in d["message"] and "tags" not in d and not d["data"]["stale"], d)
    # what cannot be read: the errors of the compiler beside the stale answer
    c.save(path, PROGRAM.replace("SIZE", "5").replace("int m = 0;", "int m = zero;"))
    c.check(path)
    found = c.diagnostics(path)
    need([d["code"] for d in found] == ["front-end", "CWE-125"], found)
    need(found[0]["range"]["start"] == {"line": 3, "character": 10} and "zero" in found[0]["message"] and found[0]["severity"] == 1, found[0])
    need(found[1]["message"].startswith("(stale: of the last text that could be read)"), found[1])
    # closed and opened again: the last answer is there at once
    c.save(path, PROGRAM.replace("SIZE", "5"))
    c.check(path)
    c.notify("textDocument/didClose", {"textDocument": {"uri": uri_of(path)}})
    mark = len(c.seen)
    c.open(path)
    c.check(path)
    sent = [m["params"]["diagnostics"] for m in c.seen[mark:] if m.get("method") == "textDocument/publishDiagnostics"]
    need(sent[0] == [] and "stale" in sent[1][0]["message"] and "stale" not in sent[-1][0]["message"], sent)
    need(c.end() == 0, "status")


@case
def an_unknown_has_its_reason():
    folder = project("unknown")
    path = write(folder, "long.c", LONG)
    c = Client(TOOL, folder, settings={"timelimit": 2, "property": "unreach-call"})
    c.open(path)
    need(verdicts(c.check(path))["main"] == {"unreach-call": "unknown"}, "verdict")
    d = c.diagnostics(path)[0]
    need(d["severity"] == 3 and d["code"] == "unknown" and "unreach-call: unknown: " in d["message"], d)
    need(d["range"]["start"] == {"line": 2, "character": 4} and "limit" in d["message"], d)
    need(c.end() == 0, "status")


# --------------------------------------------------------------------- workers
def start_long(name):
    folder = project(name)
    path = write(folder, "long.c", LONG)
    c = Client(TOOL, folder, settings={"timelimit": 300, "property": "unreach-call"})
    c.open(path)
    return c, path


def running(c):
    """Waits until a check works."""
    c.wait(lambda m: "is being verified" in str(m.get("params", {}).get("message", "")))
    end = time.time() + 60
    while len(workers(c)) < 4 and time.time() < end:
        c.rest(0.2)
    need(len(workers(c)) >= 4, "no workers")


def gone(c, seconds):
    end = time.time() + seconds
    while workers(c) and time.time() < end:
        c.rest(0.2)
    return not workers(c)


@case
def cancelling_progress_ends_all_processes():
    c, path = start_long("cancel")
    token = c.wait(lambda m: m.get("method") == "window/workDoneProgress/create")["params"]["token"]
    c.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "begin")
    running(c)
    c.wait(lambda m: m.get("method") == "$/progress" and "main" in m["params"]["value"].get("message", ""))
    need(c.hover(path, 2, 5) is not None, "an answer while a check runs")
    mark = len(c.seen)
    c.notify("window/workDoneProgress/cancel", {"token": token})
    end = c.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end", since=mark)
    need(end["params"]["value"]["message"] == "cancelled", end)
    need(gone(c, 20), f"left: {workers(c)}")
    need(c.end() == 0, "status")


@case
def cancelling_a_request_ends_all_processes():
    c, path = start_long("request")
    number = c.ask("workspace/executeCommand", {"command": "twoproof.check", "arguments": [uri_of(path)], "workDoneToken": "mine"})
    running(c)
    c.notify("$/cancelRequest", {"id": number})
    need(c.answer(number)["code"] == -32800, "the code")
    need(gone(c, 20), f"left: {workers(c)}")
    need(c.end() == 0, "status")


@case
def a_comment_does_not_stop_a_check():
    c, path = start_long("comment")
    running(c)
    before = set(workers(c))
    mark = len(c.seen)
    c.save(path, LONG + "// at the end\n")
    c.rest(3)
    need(set(workers(c)) & before, "the worker goes on")
    need(not any("is being verified" in m for m in c.logged(mark)), "it was not started again")
    c.save(path, LONG.replace("a > 1", "a > 2"))
    c.wait(lambda m: "is being verified" in str(m.get("params", {}).get("message", "")), since=mark)
    need(c.end() == 0, "status")


@case
def a_worker_that_dies_is_a_diagnostic():
    c, path = start_long("dies")
    running(c)
    mark = len(c.seen)
    direct = [p for p in descendants(c.server.pid) if os.getpgid(p) == p]
    for p in sorted(direct)[1:]:
        try:
            os.kill(p, signal.SIGKILL)
        except ProcessLookupError:
            pass
    c.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["diagnostics"], since=mark)
    d = c.diagnostics(path)[0]
    need("killed" in d["message"] or "signal 9" in d["message"] or "ended without an answer" in d["message"], d)
    need(gone(c, 20), f"left: {workers(c)}")
    need(c.hover(path, 0, 0) is None, "the server answers")
    need(c.end() == 0, "status")


@case
def an_editor_that_dies_leaves_nothing():
    c, _ = start_long("editor")
    running(c)
    below = workers(c)
    c.server.kill()
    c.server.wait()
    end = time.time() + 20
    while any(os.path.exists(f"/proc/{p}") for p in below) and time.time() < end:
        time.sleep(0.2)
    need(not [p for p in below if os.path.exists(f"/proc/{p}")], "processes are left")


# -------------------------------------------------------------------- settings
@case
def settings_files_and_databases():
    folder = project("settings")
    path = write(folder, "src/a.c", '#include "n.h"\nint get(int i) { int a[N] = {0}; return i >= 0 && i < 4 ? a[i] : 0; }\nint other(void) { return 0; }\n')
    write(folder, "inc/n.h", "#ifndef N\n#define N 4\n#endif\n")
    c = Client(TOOL, folder, settings={"property": "valid-deref"})
    c.open(path)
    c.check(path)
    need([d["code"] for d in c.diagnostics(path)] == ["front-end"], "the header is not found")
    write(folder, "compile_commands.json", json.dumps([{"directory": folder, "file": "src/a.c", "arguments": ["cc", "-Iinc", "-DN=3", "-c", "src/a.c"]}]))
    need(verdicts(c.check(path))["get"]["valid-deref"] == "false", "the database")
    write(folder, "compile_commands.json", json.dumps([{"directory": folder, "file": "src/a.c", "arguments": ["cc", "-Iinc", "-c", "src/a.c"]}]))
    need(verdicts(c.check(path))["get"]["valid-deref"] == "true", "other flags")
    write(folder, ".twoproof.conf", "# of the project\nproperty = no-overflow\nentry = other\n")
    c.configure({"property": ""})
    result = c.check(path)
    need(verdicts(result) == {"other": {"no-overflow": "true"}}, f".twoproof.conf: {result}")
    mark = len(c.seen)
    c.configure({"entry": "get", "property": "valid-deref", "arguments": ["-DN=2", "-I", "inc"], "compileCommands": "none", "wrong": 1, "timelimit": "x"})
    need(verdicts(c.check(path)) == {"get": {"valid-deref": "false"}}, "the editor's settings win")
    log = c.logged(mark)
    need(any("no setting twoproof.wrong" in m for m in log) and any("twoproof.timelimit is to be" in m for m in log), log)
    c.configure({"arguments": ["--no-such-option"]})
    c.check(path)
    d = c.diagnostics(path)
    need(len([x for x in d if "no-such-option" in x["message"]]) == 1, d)
    need(c.end() == 0, "status")


@case
def positions_are_in_units_of_the_editor():
    folder = project("units")
    line = 'int f(int i) { const char *t = "\U0001F600\u00fc"; int a[2] = {0}; (void)t; return a[i & 3]; }\n'
    path = write(folder, "u.c", line)
    for offered, name, column in (([], "utf-16", None), (["utf-8", "utf-16"], "utf-8", None)):
        capabilities = {"general": {"positionEncodings": offered}, "workspace": {"configuration": True}}
        c = Client(TOOL, folder, capabilities=capabilities, settings={"property": "valid-deref"})
        need(c.hello["capabilities"]["positionEncoding"] == name, c.hello)
        c.open(path)
        c.check(path)
        d = [d for d in c.diagnostics(path) if d["code"] == "CWE-125"][0]
        at = line.index("a[i & 3]")
        units = len(line[:at].encode("utf-16-le")) // 2 if name == "utf-16" else len(line[:at].encode())
        need(d["range"]["start"]["character"] == units, f"{name}: {d['range']} instead of {units}")
        # an edit behind the character is where the editor says
        c.change(path, [{"range": {"start": {"line": 0, "character": units}, "end": {"line": 0, "character": units + 8}}, "text": "0"}])
        need("relatedInformation" not in d, "not asked for")
        with open(path, "w", encoding="utf-8") as f:
            f.write(line.replace("a[i & 3]", "0"))
        c.save(path)
        c.check(path)
        need(not [d for d in c.diagnostics(path) if d["code"] == "CWE-125"], "mended")
        write(folder, "u.c", line)
        need(c.end() == 0, "status")


def run_case(function):
    name = function.__name__.replace("_", " ")
    if ONLY and function.__name__ not in ONLY:
        return
    start = time.time()
    try:
        function()
        print(f"ok {name} ({time.time() - start:.1f} s)", flush=True)
    except Exception as e:  # a case that fails is told, the others run
        print(f"FAILED {name}: {type(e).__name__}: {str(e)[:1500]}", flush=True)


for f in CASES:
    run_case(f)
print("all cases were run")
