#!/usr/bin/env node
// This file runs on every Node that knows `import()`: old syntax only, and nothing imported before the version is known.
const OLDEST = 24

if (Number(process.versions.node.split(".")[0]) < OLDEST) {
  import("./rerun.ts").then((module) => module.rerun(OLDEST))
} else {
  import("node:module").then((module) => {
    module.enableCompileCache()
    return import("./run.ts").then((program) => program.run(process.argv.slice(2)))
  })
}

export {}
