# SPDX-FileCopyrightText: The Twoproof authors
# SPDX-License-Identifier: Apache-2.0
"""Tool-info module for BenchExec: https://github.com/sosy-lab/benchexec"""

import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """Twoproof: proofs with checked certificates, failures replayed on the compiled program."""

    REQUIRED_PATHS = ["bin/twoproof", "lib/twoproof"]

    # What a property is called in "RESULT: false(...)".
    FALSE = {
        "unreach-call": result.RESULT_FALSE_REACH,
        "valid-deref": result.RESULT_FALSE_DEREF,
        "valid-free": result.RESULT_FALSE_FREE,
        "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
        "valid-memcleanup": result.RESULT_FALSE_MEMCLEANUP,
        "no-overflow": result.RESULT_FALSE_OVERFLOW,
    }

    def executable(self, tool_locator):
        return tool_locator.find_executable("twoproof", subdir="bin")

    def program_files(self, executable):
        return self._program_files_from_executable(executable, self.REQUIRED_PATHS, parent_dir=True)

    def name(self):
        return "Twoproof"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="twoproof")

    def cmdline(self, executable, options, task, rlimits):
        arguments = [executable, "check", *options]
        if task.property_file:
            arguments.append(f"--property={task.property_file}")
        machine = get_data_model_from_task(task, {ILP32: "ilp32", LP64: "lp64"})
        if machine and not any(o.startswith("--machine") for o in options):
            arguments.append(f"--machine={machine}")
        if rlimits.cputime and not any(o.startswith("--timelimit") for o in options):
            arguments.append(f"--timelimit={rlimits.cputime}")
            # BenchExec watches the clock.
            if not any(o.startswith("--walltime") for o in options):
                arguments.append("--walltime=0")
        return arguments + list(task.input_files_or_identifier)

    def determine_result(self, run):
        last = None
        for line in run.output:
            if line.startswith("RESULT: "):
                last = line[len("RESULT: "):].strip()
        if last is None:
            return result.RESULT_ERROR if run.exit_code.value != 64 else f"{result.RESULT_ERROR} (wrong usage)"
        if run.exit_code.value in (70, 74):
            return f"{result.RESULT_ERROR} ({last})"
        if last == "true":
            return result.RESULT_TRUE_PROP
        m = re.fullmatch(r"false\(([a-z-]+)\)", last)
        if m:
            return self.FALSE.get(m[1], f"{result.RESULT_FALSE_PROP}({m[1]})")
        m = re.fullmatch(r"unknown\((.*)\)", last)
        if m:
            return f"{result.RESULT_UNKNOWN} ({m[1]})"
        return f"{result.RESULT_UNKNOWN} ({last})"
