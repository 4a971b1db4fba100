#!/usr/bin/env node
// This file must run on any Node that has `import()`: old syntax only, and no imports until the version is checked.
const OLDEST = 24

if (Number(process.versions.node.split(".")[0]) < OLDEST) {
  import("./rerun.ts").then((module) => module.rerun(OLDEST))
} else {
  import("node:module").then((module) => {
    module.enableCompileCache()
    const args = process.argv.slice(2)
    const options = args[0] === "serve" ? args.slice(1) : args
    if (options.length === 0 || (options.length === 1 && options[0] === "--demo")) {
      return import("./serve.ts").then((program) => program.start({ demo: options.length === 1 }))
    }
    return import("./run.ts").then((program) => program.run(args))
  })
}

export {}
