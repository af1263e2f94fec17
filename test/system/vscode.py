#!/usr/bin/python3
"""contrib/vscode in Visual Studio Code itself: the extension is packed, installed, and used in a browser as people use it.

usage: CODE_SERVER=FOLDER test/system/vscode.py
FOLDER is the package code-server as npm installs it: Visual Studio Code as a server of this machine, seen in Chromium. Without it, or without
npm, nothing is tried, and that is said.
"""
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "twoproof")
PATIENCE = 180  # seconds for anything that a verification has to precede

SUM = """#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
  while (i < n) {
    i++;
    j++;
  }
  assert(i != 3 || j != 3);
  return 0;
}
"""


def build_extension(work):
    """Packs the extension as its README says; the path of the package."""
    folder = os.path.join(work, "extension")
    shutil.copytree(os.path.join(ROOT, "contrib", "vscode"), folder)
    for command in (["npm", "install", "--omit=dev", "--no-audit", "--no-fund"], ["npx", "-y", "@vscode/vsce", "package"]):
        subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=600)
    return next(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".vsix"))


class Workbench:
    """Visual Studio Code on a free port of this machine, with the extension, and a browser that looks at it."""

    def __init__(self, code_server, work):
        self.project = os.path.join(work, "project")
        data = os.path.join(work, "data")
        os.makedirs(os.path.join(data, "User"))
        os.makedirs(self.project)
        settings = {"twoproof.path": TOOL, "security.workspace.trust.enabled": False, "workbench.startupEditor": "none", "editor.autoClosingBrackets": "never"}
        self.write(os.path.join(data, "User", "settings.json"), json.dumps(settings))
        self.write(os.path.join(self.project, "sum.c"), SUM)
        base = ["node", code_server, "--user-data-dir", data, "--extensions-dir", os.path.join(work, "extensions"), "--config", os.path.join(work, "config.yaml")]
        subprocess.run(base + ["--install-extension", build_extension(work)], check=True, stdout=subprocess.DEVNULL, timeout=300)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"]
        with open(os.path.join(work, "server.log"), "w", encoding="utf-8") as log:
            self.server = subprocess.Popen(base + options, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.wait("the server", lambda: answers(port))
        chrome = Options()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,900"):
            chrome.add_argument(argument)
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=chrome)
        self.driver.get(f"http://127.0.0.1:{port}/?folder={self.project}")
        self.wait("the workbench", lambda: self.texts(".statusbar"))

    def close(self):
        if hasattr(self, "driver"):
            self.driver.quit()
        self.server.terminate()
        self.server.wait(30)

    @staticmethod
    def write(path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    @staticmethod
    def wait(what, condition, patience=PATIENCE):
        """The first true value of the condition; the page may change while it is looked at."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            try:
                value = condition()
                if value:
                    return value
            except (WebDriverException, OSError):
                pass
            time.sleep(0.3)
        raise AssertionError("it never came: " + what)

    def texts(self, selector):
        return [e.text.replace("\xa0", " ") for e in self.driver.find_elements(By.CSS_SELECTOR, selector) if e.text]

    def labels(self, selector):
        return [e.get_attribute("aria-label") or "" for e in self.driver.find_elements(By.CSS_SELECTOR, selector)]

    def press(self, *keys):
        chain = ActionChains(self.driver)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in keys[:-1]:
            chain.key_up(key)
        chain.perform()
        time.sleep(0.5)

    def choose(self, text):
        """Types into the box of the quick input and takes what it offers first."""
        self.wait("the quick input", lambda: self.driver.find_element(By.CSS_SELECTOR, ".quick-input-box input").is_displayed())
        ActionChains(self.driver).send_keys(text).perform()
        time.sleep(1.5)
        self.press(Keys.ENTER)

    def command(self, title):
        self.press(Keys.F1)
        self.choose(title)

    def open_source(self):
        """Opens the program from the tree of files: the search for files rests on another program, which may not be there."""
        row = self.wait("the tree", lambda: [e for e in self.driver.find_elements(By.CSS_SELECTOR, ".explorer-folders-view .monaco-list-row") if "sum.c" in e.text])
        ActionChains(self.driver).double_click(row[0]).perform()
        self.wait("the editor", lambda: self.driver.find_elements(By.CSS_SELECTOR, ".editor-instance .view-lines"))

    def line(self, number, column=1):
        self.press(Keys.CONTROL, "g")
        self.choose(f"{number}:{column}")

    def problems(self):
        return " ".join(self.labels(".markers-panel .monaco-list-row"))


def answers(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("GET", "/healthz")
    return connection.getresponse().status == 200


def failure_is_a_problem(bench):
    bench.open_source()
    bench.command("Problems: Focus on Problems View")
    bench.wait("the violation", lambda: "unreach-call" in bench.problems())
    assert "violated" in bench.problems(), bench.problems()


def failing_input_becomes_a_test(bench):
    bench.command("View: Focus Active Editor Group")
    bench.line(9, 3)
    bench.press(Keys.CONTROL, ".")
    bench.wait("the code action", lambda: "write the failing input" in " ".join(bench.texts(".action-widget")))
    bench.press(Keys.ENTER)
    tests = os.path.join(bench.project, "twoproof-tests")
    run = bench.wait("the test", lambda: [os.path.join(tests, t, "run.sh") for t in os.listdir(tests) if os.path.exists(os.path.join(tests, t, "run.sh"))])
    bench.command("File: Save All Files")
    time.sleep(1)
    status = subprocess.run(["sh", run[0]], cwd=os.path.dirname(run[0]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60).returncode
    assert status == 107, f"the test ended with status {status}"


def repair_takes_it_away(bench):
    """The assertion is mended and saved; the answer is another one, and the loop has an invariant where the pointer rests."""
    bench.open_source()
    bench.line(9)
    bench.press(Keys.SHIFT, Keys.END)
    ActionChains(bench.driver).send_keys("  assert(i == j);").perform()
    bench.press(Keys.CONTROL, "s")
    bench.command("Problems: Focus on Problems View")
    bench.wait("an end of the violation", lambda: "violated" not in bench.problems())


def proof_is_shown(bench):
    bench.command("Twoproof: verify this file")
    bench.command("View: Focus Active Editor Group")
    bench.line(5, 4)

    def hover():
        bench.command("Show or Focus Hover")
        return [t for t in bench.texts(".monaco-hover") if "i == j" in t or "j == i" in t]

    bench.wait("the invariant of the loop", hover)


CASES = (failure_is_a_problem, failing_input_becomes_a_test, repair_takes_it_away, proof_is_shown)


def main():
    code_server = os.environ.get("CODE_SERVER", "")
    if not code_server or not shutil.which("npm"):
        print("Visual Studio Code was not tried: CODE_SERVER names no package code-server, or npm is not installed")
        return 0
    work = tempfile.mkdtemp()
    failed = 0
    bench = None
    try:
        bench = Workbench(code_server, work)
        for case in CASES:
            try:
                case(bench)
                print("ok", case.__name__)
            except (AssertionError, WebDriverException) as problem:
                failed += 1
                print("FAILED", case.__name__, str(problem)[:500])
                if os.environ.get("PICTURE"):
                    bench.driver.save_screenshot(os.environ["PICTURE"] + "." + case.__name__ + ".png")
    finally:
        if bench:
            bench.close()
        shutil.rmtree(work, ignore_errors=True)
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
