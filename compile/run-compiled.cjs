// Makes Node run the compiled form of its main module (see compile.ts, which copies this file to its output): `node --require
// THIS FILE gateway/main.ts`. CommonJS, since anything else that comes before the main module costs a loader thread.
const Module = require("node:module");
const { existsSync } = require("node:fs");
const { join, relative, resolve } = require("node:path");

const { root } = require("./root.json");
const { runMain } = Module;
Module.runMain = (main) => {
  const compiled = join(__dirname, relative(root, resolve(main)).replace(/\.ts$/, ".mjs"));
  // A test may run a script of its own.
  runMain(existsSync(compiled) ? compiled : main);
};
