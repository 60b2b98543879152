# Checks that every recursion of the library is bounded: builds the call graph from the LLVM code that Clang generates for each
# source file, and fails for a cycle that neither passes a guard (a function that constructs an assay::Nesting or a Level) nor
# is listed in bounded.txt with the reason why it ends. README.md describes what the graph contains and what it cannot show.
# Usage: recursion.py CLANG BUILD_FOLDER WORK_FOLDER [--all]        --all also lists the cycles that are bounded
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

GUARD = re.compile(r"_ZN5assay(7Nesting|12_GLOBAL__N_15Level)C[12]E")  # Nesting; Level of lang/value/equality.cpp
OTHER_ROOM = re.compile(r"runtime[/_]hooks[/_]lua[/_]")
SOURCE = re.compile(r"(lang|runtime)/.*\.cpp$|.*/assay\.dir/Unity/unity_\w+\.cxx$")  # alone, or a room as one
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def sources(build):
    seen = set()
    for entry in json.load(open(os.path.join(build, "compile_commands.json"))):
        path = os.path.relpath(os.path.join(entry["directory"], entry["file"]), TOP)
        if SOURCE.match(path) and not OTHER_ROOM.search(path) and path not in seen:
            seen.add(path)
            yield path, entry


def compile_to_text(clang, work, path, entry):
    out = os.path.join(work, path.replace("/", "_") + ".ll")
    flags = []
    words = shlex.split(entry["command"])
    for i, word in enumerate(words):
        if word in ("-I", "-isystem", "-D"):
            flags += [word, words[i + 1]]
        elif re.match(r"-(I|D|std=|isystem).", word):
            flags.append(word)
    command = [clang, "-S", "-emit-llvm", "-O0", "-g0", "-w", *flags, os.path.join(TOP, path), "-o", out]
    done = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{path}: {done.stderr[:2000]}")
    return out


NAME = re.compile(r'@("(?:[^"\\]|\\.)*"|[\w.$-]+)')


def read_graph(path, edges, guarded, defined):
    function = None
    for line in open(path, encoding="utf-8", errors="replace"):
        if line.startswith("define "):
            function = NAME.search(line).group(1)
            defined.add(function)
            edges.setdefault(function, set())
        elif line.startswith("}"):
            function = None
        elif function is not None:
            for name in NAME.findall(line):
                edges[function].add(name)
                if GUARD.match(name):
                    guarded.add(function)
        elif line.startswith("@"):  # a table of constants, an alias
            names = NAME.findall(line)
            edges.setdefault(names[0], set()).update(names[1:])


def demangle(names):
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.split("\n")))


OPERATOR = re.compile(r"operator(\(\)|->\*?|<=>|<<=?|>>=?|[<>]=?)")


def qualified(name):
    """A demangled name without return type, arguments and templates. A lambda is part of the function around it."""
    name = name.strip('"').replace("(anonymous namespace)::", "").replace("[abi:cxx11]", "")
    name = OPERATOR.sub("operator_", name)
    plain, level = "", 0
    for c in name:
        level += (c == "<") - (c == ">")
        if level == 0 and c != ">":
            plain += c
    return plain.split("(")[0].split(" ")[-1]


def components(nodes, edges):
    """The strongly connected components with a cycle, by Tarjan's algorithm, without recursion."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in nodes:
        if root in index:
            continue
        work = [(root, iter(sorted(edges.get(root, ()))))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in nodes:
                    continue
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(sorted(edges.get(target, ())))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = []
                    while True:
                        part.append(stack.pop())
                        on_stack.discard(part[-1])
                        if part[-1] == node:
                            break
                    if len(part) > 1 or node in edges.get(node, ()):
                        found.append(part)
    return found


def main():
    clang, build, work = sys.argv[1:4]
    os.makedirs(work, exist_ok=True)
    reasons, used = {}, set()
    for line in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "bounded.txt"), encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.rstrip("\n").partition("  ")
            if not reason.strip() or name in reasons:
                sys.exit(f"bounded.txt: '{name}' has no reason, or stands there twice")
            reasons[name] = reason.strip()
    edges, guarded, defined = {}, set(), set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        files = list(pool.map(lambda s: compile_to_text(clang, work, *s), sources(build)))
    if not files:
        sys.exit("no sources of the library in compile_commands.json")
    for path in files:
        read_graph(path, edges, guarded, defined)
    names = demangle(sorted(edges))
    handlers = [n for n in edges if names[n].startswith("std::_Function_handler<") and ">::_M_invoke(" in names[n]]
    for node in list(edges):
        match = re.match(r"std::function<(.*)>::operator\(\)\(", names[node])
        if match:
            prefix = "std::_Function_handler<" + match.group(1) + ", "
            edges[node].update(h for h in handlers if names[h].startswith(prefix))

    names = {node: qualified(name) for node, name in names.items()}

    def bounded(node):
        if names[node] in reasons:
            used.add(names[node])
        return names[node] in reasons

    def listed(part):
        return sorted({names[n] for n in part}, key=lambda name: (not name.startswith("assay"), name))

    cyclic = components(set(edges), edges)
    if "--all" in sys.argv:
        for part in cyclic:
            print("a recursion:", ", ".join(listed(part)[:8]))
    within = {n for part in cyclic for n in part}
    unguarded = components(within - guarded, edges)
    open_cycles = components({n for part in unguarded for n in part if not bounded(n)}, edges)
    for part in open_cycles:
        print("a recursion that nothing bounds:", ", ".join(listed(part)))
    for name in sorted(set(reasons) - used):
        print(f"bounded.txt: '{name}' is not part of a recursion without a guard")
    print(f"{len(defined)} functions, {len(cyclic)} recursions, {len(within & guarded)} guarded functions in them, "
          f"{len(reasons)} bounded otherwise, {len(open_cycles)} open")
    sys.exit(1 if open_cycles or set(reasons) - used or not within & guarded else 0)


main()
