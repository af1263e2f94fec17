"""A client of the language server for tests: frames, requests, and what the server sent meanwhile."""
import json
import os
import queue
import subprocess
import threading
import time
import urllib.parse


def uri_of(path):
    return "file://" + urllib.parse.quote(path)


class Client:
    def __init__(self, tool, folder, settings=None, capabilities=None, start=True, env=None):
        self.folder = folder
        self.settings = settings or {}
        self.server = subprocess.Popen([tool, "lsp", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self.inbox = queue.Queue()
        self.seen = []
        self.last = 0
        self.versions = {}
        threading.Thread(target=self.read, daemon=True).start()
        if start:
            self.capabilities = capabilities or {
                "window": {"workDoneProgress": True},
                "workspace": {"configuration": True, "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}},
                "textDocument": {"publishDiagnostics": {"relatedInformation": True}, "codeAction": {"codeActionLiteralSupport": {}}},
            }
            self.hello = self.request("initialize", {"processId": os.getpid(), "rootUri": uri_of(folder), "capabilities": self.capabilities})
            self.notify("initialized", {})

    # ---------------------------------------------------------------- the wire
    def read(self):
        out = self.server.stdout
        while True:
            length = None
            while (line := out.readline()) not in (b"\r\n", b""):
                name, value = line.split(b":", 1)
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                self.inbox.put(None)
                return
            self.inbox.put(json.loads(out.read(length)))

    def raw(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send(self, message):
        body = json.dumps(dict(message, jsonrpc="2.0")).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        return self.last

    def request(self, method, params, timeout=120):
        number = self.ask(method, params)
        return self.answer(number, timeout)

    def answer(self, number, timeout=60):
        m = self.wait(lambda m: m.get("id") == number and "method" not in m, timeout)
        return m["result"] if "result" in m else m["error"]

    # ------------------------------------------------------------ what came in
    def take(self, timeout):
        m = self.inbox.get(timeout=timeout)
        if m is None:
            raise EOFError("the server has ended")
        self.seen.append(m)
        if "method" in m and "id" in m:
            result = [self.settings] if m["method"] == "workspace/configuration" else None
            self.send({"id": m["id"], "result": result})
        return m

    def wait(self, condition, timeout=120, since=None):
        """The first message of those that were not waited for before that has the condition."""
        end = time.time() + timeout
        start = len(self.seen) if since is None else since
        for m in self.seen[start:]:
            if condition(m):
                return m
        while True:
            left = end - time.time()
            if left <= 0:
                raise TimeoutError("nothing came")
            try:
                m = self.take(left)
            except queue.Empty:
                raise TimeoutError("nothing came") from None
            if condition(m):
                return m

    def rest(self, seconds):
        """What comes in this time."""
        start, end = len(self.seen), time.time() + seconds
        while (left := end - time.time()) > 0:
            try:
                self.take(left)
            except queue.Empty:
                break
        return self.seen[start:]

    def logged(self, since=0):
        return [m["params"]["message"] for m in self.seen[since:] if m.get("method") == "window/logMessage"]

    def diagnostics(self, path, since=0):
        """The last that were sent for the file; None: none were."""
        last = None
        for m in self.seen[since:]:
            if m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri_of(path):
                last = m["params"]["diagnostics"]
        return last

    # ---------------------------------------------------------------- documents
    def open(self, path):
        with open(path, encoding="utf-8", newline="") as f:
            text = f.read()
        self.versions[path] = 1
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri_of(path), "languageId": "c", "version": 1, "text": text}})

    def change(self, path, changes):
        self.versions[path] += 1
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri_of(path), "version": self.versions[path]}, "contentChanges": changes})

    def save(self, path, text=None):
        """With a text: it is what is on disk and, as a whole, what the editor has."""
        if text is not None:
            with open(path, "w", encoding="utf-8", newline="") as f:
                f.write(text)
            self.change(path, [{"text": text}])
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri_of(path)}})

    def check(self, path, timeout=400):
        """Verifies and waits for the end of the round."""
        return self.request("workspace/executeCommand", {"command": "twoproof.check", "arguments": [uri_of(path)]}, timeout)

    def configure(self, settings):
        """As if the user changed the settings: they count from now on."""
        mark = len(self.seen)
        self.settings = settings
        self.notify("workspace/didChangeConfiguration", {"settings": None})
        self.wait(lambda m: m.get("method") == "workspace/configuration", since=mark)

    def position(self, path, line, character):
        return {"textDocument": {"uri": uri_of(path)}, "position": {"line": line, "character": character}}

    def hover(self, path, line, character):
        result = self.request("textDocument/hover", self.position(path, line, character))
        return result["contents"]["value"] if result else None

    def end(self):
        """Status of the server after shutdown and exit."""
        self.request("shutdown", None)
        self.notify("exit", None)
        self.server.stdin.close()
        return self.server.wait(timeout=20)
