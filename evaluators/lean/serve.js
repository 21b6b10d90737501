// Check many files with one warm Lean: one JSON request a connection, one JSON reply.
// It stands inside the glue code of the WebAssembly build and uses its local names.
function leanServe() {
  const net = require("net");
  const mark = stackSave();
  const makeOptions = wasmExports["lean_shell_options_mk"];
  const processOption = wasmExports["_ZN4lean20process_shell_optionERNS_10object_refEiPKcRi"];
  const runMain = wasmExports["_ZN4lean14run_shell_mainEiPPcRKNS_10object_refE"];
  const noise = /^\[DEBUG:|^  - \/.*olean$|^  mainModule\?/;

  function toC(text) {
    const size = lengthBytesUTF8(text) + 1;
    const pointer = _malloc(size);
    stringToUTF8(text, pointer, size);
    return pointer;
  }

  // Everything that Lean prints, on either stream, in order, goes into `lines`.
  function captured(lines, action) {
    const saved = [out, err, fs.writeSync];
    out = err = (...words) => lines.push(words.join(" "));
    fs.writeSync = (fd, data, ...rest) => {
      if (fd !== 1 && fd !== 2) return saved[2](fd, data, ...rest);
      lines.push(typeof data === "string" ? data.replace(/\n$/, "") : Buffer.from(data).toString());
      return data.length;
    };
    try {
      return action();
    } finally {
      try { _fflush(0); } catch (error) { /* nothing left to flush */ }
      [out, err, fs.writeSync] = saved;
    }
  }

  function runLean(request, lines) {
    const cell = stackAlloc(16);
    FS.chdir(request.cwd);
    const options = makeOptions(1);
    growMemViews();
    HEAPU32[cell >> 2] = options;
    HEAPU32[(cell >> 2) + 1] = 0;
    for (const [letter, value] of request.options) {
      processOption(cell, letter.charCodeAt(0), toC(value), cell + 4);
      growMemViews();
      if (HEAPU32[(cell >> 2) + 1] !== 0) { lines.push("bad option -" + letter); return 98; }
    }
    const files = request.files.map(toC);
    const argv = stackAlloc((files.length + 1) * 4);
    growMemViews();
    files.forEach((pointer, index) => { HEAPU32[(argv >> 2) + index] = pointer; });
    HEAPU32[(argv >> 2) + files.length] = 0;
    return runMain(files.length, argv, cell);
  }

  function job(request) {
    const begin = Date.now();
    const lines = [];
    let code = 99;
    stackRestore(mark);
    globalThis.leanServing = true;
    captured(lines, () => {
      try {
        code = runLean(request, lines);
      } catch (error) {
        if (error instanceof ExitStatus) code = error.status;
        else lines.push("the Lean process failed: " + (error && error.message || error));
      }
    });
    stackRestore(mark);
    const output = lines.filter((line) => !noise.test(line)).join("\n");
    const megabytes = wasmMemory.buffer.byteLength / 1048576 | 0;
    return { code, milliseconds: Date.now() - begin, megabytes, output };
  }

  // A server without its verifier is of no use: end with it.
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 1000);

  const server = net.createServer({ allowHalfOpen: true }, (connection) => {
    let text = "";
    connection.on("data", (chunk) => { text += chunk; });
    connection.on("end", () => connection.end(JSON.stringify(job(JSON.parse(text)))));
  });
  server.listen(process.env.LEAN_SERVE, () => fs.writeSync(2, "lean server: ready\n"));
  throw "unwind";
}
