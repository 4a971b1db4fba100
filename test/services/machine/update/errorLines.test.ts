import { assert, describe, it } from "@effect/vitest"
import { errorLines } from "../../../../src/services/machine/update/updateSteps.ts"

const NEXT = "/home/me/console/.update/next"
const linesOf = (output: string) => errorLines(output, [NEXT, "/home/me/console"])

const sizes = Array.from({ length: 48 }, (_, n) => `../dist/web/assets/Part${n}-B1x_9.js      12.34 kB`).join("\n")

describe("what a failed program says is wrong", () => {
  it("npm without a registry: the request and its reason, not its inner life", () => {
    const output = `npm warn deprecated thing@1.0.0: gone
npm error code ECONNREFUSED
npm error syscall connect
npm error errno ECONNREFUSED
npm error FetchError: request to http://127.0.0.1:1/left-1.0.0.tgz failed, reason: connect ECONNREFUSED 127.0.0.1:1
npm error     at ClientRequest.<anonymous> (/usr/lib/node_modules/npm/node_modules/minipass-fetch/lib/index.js:130:14)
npm error     at process.processTicksAndRejections (node:internal/process/task_queues:83:21) {
npm error   code: 'ECONNREFUSED',
npm error   errno: 'ECONNREFUSED',
npm error   port: 1,
npm error   type: 'system'
npm error }
npm error
npm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.  See: 'npm help config'
npm error A complete log of this run can be found in: /root/.npm/_logs/x-debug-0.log
`
    assert.deepStrictEqual(linesOf(output), [
      "npm error code ECONNREFUSED",
      "npm error syscall connect",
      "npm error errno ECONNREFUSED",
      "npm error FetchError: request to http://127.0.0.1:1/left-1.0.0.tgz failed, reason: connect ECONNREFUSED 127.0.0.1:1",
      "npm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.  See: 'npm help config'"
    ])
  })

  it("a build of the server that fails beside one of the web app that does not", () => {
    const output = `
> agent-console@1.1.0 build
> node scripts/build.ts

vite v7.3.8 building ssr environment for production...
vite v7.3.8 building client environment for production...
transforming...
✓ 40 modules transformed.
\u001b[31m✗ Build failed in 130ms\u001b[39m
\u001b[31merror during build:
\u001b[31m[vite:esbuild] Transform failed with 1 error:
${NEXT}/src/services/version/packageInfo.ts:6:17: ERROR: Unexpected "="\u001b[39m
file: ${NEXT}/src/services/version/packageInfo.ts:6:17

Unexpected "="
6  |  export const x = = 1
   |                   ^

    at failureErrorWithLog (${NEXT}/node_modules/esbuild/lib/main.js:1752:15)
    at responseCallbacks.<computed> (${NEXT}/node_modules/esbuild/lib/main.js:886:9)
✓ 1434 modules transformed.
rendering chunks...
${sizes}
✓ built in 24.15s
`
    assert.deepStrictEqual(linesOf(output), [
      "error during build:",
      "[vite:esbuild] Transform failed with 1 error:",
      'src/services/version/packageInfo.ts:6:17: ERROR: Unexpected "="',
      "file: src/services/version/packageInfo.ts:6:17",
      'Unexpected "="',
      "6  |  export const x = = 1",
      "   |                   ^"
    ])
  })

  it("a build of the next bundler: the place and the line", () => {
    const grey = (text: string) => `\u001b[38;5;246m${text}\u001b[0m`
    const output = `vite v8.3.8 building ssr environment for production...
transforming...
✓ 1948 modules transformed.
✗ Build failed in 1.70s
error during build:
Build failed with 1 error:

\u001b[31m[builtin:vite-transform] \u001b[0mUnexpected token
    ${grey("╭─[")} ${NEXT}/src/cli/exitCodes.ts:79:17 ${grey("]")}
 ${grey("79 │")} export const x: = 3
 ${grey("   │")}                 ╰──
${grey("────╯")}

    at aggregateBindingErrorsIntoJsError (file://${NEXT}/node_modules/rolldown/dist/shared/error-C.mjs:50:18)
    at async CAC.<anonymous> (file://${NEXT}/node_modules/vite/dist/node/cli.js:789:3) {
  errors: [Getter/Setter]
}
`
    assert.deepStrictEqual(linesOf(output), [
      "error during build:",
      "Build failed with 1 error:",
      "[builtin:vite-transform] Unexpected token",
      "    ╭─[ src/cli/exitCodes.ts:79:17 ]",
      " 79 │ export const x: = 3",
      "    │                 ╰──",
      "────╯"
    ])
  })

  it("a compiler: its first errors, however many there are", () => {
    const output = Array.from({ length: 30 }, (_, n) => `src/x.ts(${n},1): error TS1109: Expression expected.`).join(
      "\n"
    )
    assert.strictEqual(linesOf(output).length, 10)
    assert.strictEqual(linesOf(output)[0], "src/x.ts(0,1): error TS1109: Expression expected.")
  })

  it("a program of Node that ran out of room", () => {
    const output = `node:fs:2440
    return binding.writeFileUtf8(
                   ^

Error: ENOSPC: no space left on device, write
    at Object.writeFileSync (node:fs:2440:20)
    at file://${NEXT}/build.mjs:14:10 {
  errno: -28,
  code: 'ENOSPC',
  syscall: 'write'
}

Node.js v24.21.0
`
    assert.deepStrictEqual(linesOf(output), ["Error: ENOSPC: no space left on device, write"])
  })

  it("git", () => {
    assert.deepStrictEqual(linesOf(`Preparing worktree (detached HEAD 1234567)\nfatal: not a tree\n`), [
      "fatal: not a tree"
    ])
  })

  it("a program that names no error: the end of what it reported", () => {
    assert.deepStrictEqual(linesOf(`${sizes}\none\ntwo\n\nthree\n`), ["one", "two", "three"])
    assert.deepStrictEqual(linesOf(Array.from({ length: 99 }, (_, n) => `line ${n}`).join("\n")).at(-1), "line 98")
    assert.deepStrictEqual(linesOf(""), [])
  })
})
