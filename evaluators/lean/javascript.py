"""Turn the published glue code of the WebAssembly Lean into one that starts fast and serves.

Each replacement must find its text exactly once: another version of the package is refused rather
than patched by luck.
"""

from __future__ import annotations

import re
from pathlib import Path

from ..model import InputError

_ASSIGN = "function assignWasmExports"
_WRAPPER = re.compile(
    r'([A-Za-z_$][\w$]*)=(?:Module\["([^"]+)"\]=)?(?:wasmTable=)?'
    r'wasmExports\["([^"]+)"\](\.value)?;?'
)
_TABLE = (
    'wasmTable=wasmExports["__indirect_function_table"];'
    'Module["__indirect_function_table"]=wasmTable;'
)
# The symbol table was searched linearly, 200,000 names at every call.
_LOOKUP = (
    "newSymIndex=Object.keys(lib.exports).indexOf(symbol);",
    "if(!lib.symbols){lib.symbols=new Map();let n=0;"
    "for(const k of Object.keys(lib.exports))lib.symbols.set(k,n++)}"
    "newSymIndex=lib.symbols.has(symbol)?lib.symbols.get(symbol):-1;",
)
# Lean sees only /home and /tmp of the host: show it the folders that it is told to work in.
_MOUNT_HOME = 'FS.mount(NODEFS,{root:"/home"},"/home");'
_MOUNT = (
    _MOUNT_HOME,
    'for(const d of (process.env.LEAN_MOUNTS||"").split(":"))'
    "if(d){try{FS.mkdir(d)}catch(e){}FS.mount(NODEFS,{root:d},d)}" + _MOUNT_HOME,
)
_POOL = ("var pthreadPoolSize=4", "var pthreadPoolSize=1")
_EXIT_HEAD = "var exitJS=(status,implicit)=>{"
_EXIT = (
    _EXIT_HEAD,
    _EXIT_HEAD + "if(globalThis.leanServing&&!ENVIRONMENT_IS_PTHREAD)throw new ExitStatus(status);",
)
_PROC_EXIT_HEAD = (
    "function _proc_exit(code){if(ENVIRONMENT_IS_PTHREAD)return proxyToMainThread(0,0,1,code);"
)
_PROC_EXIT = (
    _PROC_EXIT_HEAD,
    _PROC_EXIT_HEAD + "if(globalThis.leanServing)throw new ExitStatus(code);",
)
# The hook of the glue just before the shell runs: from here on we serve instead.
_HOOK = "941618:$0=>{"
_SERVE = (_HOOK, _HOOK + "if(process.env.LEAN_SERVE)leanServe();")


def replace_once(text: str, old: str, new: str) -> str:
    """Replace the only occurrence of `old`; raises InputError if there is not exactly one."""
    count = text.count(old)
    if count != 1:
        rule = f"expected one occurrence of {old[:50]!r}, found {count}"
        raise InputError("lean.js", f"not the version that we patch: {rule}")
    return text.replace(old, new)


def slim(text: str) -> str:
    """Drop the 200,000 wrappers of exports that the glue never uses (89 MB to under 1 MB)."""
    start, after, rules = _parse_wrappers(text)
    first = text.rfind("var ", 0, start - 1)
    names = text[first + 4 : start - 1].rstrip(";").split(",")
    before, rest = text[:first], text[after:]
    used = set(re.findall(r'(?<![\w$."])_[\w$]*', before + rest))
    used |= set(re.findall(r'Module\["(_[\w$]+)"\]', before + rest))
    kept = [name for name in names if name in used or name not in rules]
    body = "".join(rules[name] for name in kept if name in rules) + _TABLE
    return f"{before}var {','.join(kept)};{_ASSIGN}(wasmExports){{{body}}}{rest}"


def _parse_wrappers(text: str) -> tuple[int, int, dict[str, str]]:
    """Return where the wrappers start, where they end, and the statement of each name."""
    start = text.find(_ASSIGN)
    at = start + len(f"{_ASSIGN}(wasmExports){{")
    rules = {}
    while match := _WRAPPER.match(text, at):
        module = f'Module["{match[2]}"]=' if match[2] else ""
        rules[match[1]] = f'{match[1]}={module}wasmExports["{match[3]}"]{match[4] or ""};'
        at = match.end()
    if start < 0 or not rules or text[at : at + 1] != "}":
        raise InputError("lean.js", "not the version that we patch: no list of export wrappers")
    return start, at + 1, rules


def patched(text: str) -> str:
    """Return the glue code with every patch applied and our server in it."""
    text = slim(text)
    for old, new in (_LOOKUP, _MOUNT, _POOL, _EXIT, _PROC_EXIT, _SERVE):
        text = replace_once(text, old, new)
    server = Path(__file__).with_name("serve.js").read_text(encoding="utf-8")
    # The server uses local names of the glue, so it stands where they are in scope.
    start = text.find(_ASSIGN)
    place = text.rfind("var ", 0, start - 1)
    return text[:place] + server + text[place:]
