import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { findNode } from "../../src/cli/rerun.ts"
import { runConsole, temporaryDirectory } from "../support/runConsole.ts"

/** Makes this Node say that it is an older one. */
const oldNode = `data:text/javascript,${encodeURIComponent('Object.defineProperty(process.versions, "node", { value: "20.20.2" })')}`

it.live("on an older Node the program runs itself again on the one installed beside it", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const ended = yield* runConsole({
      directory,
      nodeArgs: ["--import", oldNode],
      args: ["hash-password"],
      input: "secret"
    })
    assert.strictEqual(ended.code, exitCodes.ok, ended.stderr)
    assert.match(ended.stdout, /^[0-9a-f]{64}:[0-9a-f]{128}\n$/)
  })
)

it.live("the exit code of the second run is the exit code of the first", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const ended = yield* runConsole({ directory, nodeArgs: ["--import", oldNode], variables: { PORT: "x" } })
    assert.strictEqual(ended.code, exitCodes.settings)
    assert.match(ended.stderr, /^agent-console: PORT [^\n]+\n$/)
  })
)

it.live("an old Node beside the program is refused with one sentence, not started for ever", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const ended = yield* runConsole({
      directory,
      nodeArgs: ["--import", oldNode],
      variables: { AGENT_CONSOLE_RERUN: "1" }
    })
    assert.strictEqual(ended.code, exitCodes.node)
    assert.match(ended.stderr, /^agent-console needs Node 24 or newer[^\n]+\n$/)
  })
)

it.live("the binary is looked for in every node_modules upwards, and in what an update has kept", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const inside = join(directory, "node_modules", "agent-console", "dist")
    mkdirSync(inside, { recursive: true })
    assert.isUndefined(findNode(inside))
    mkdirSync(join(directory, "node_modules", "node", "bin"), { recursive: true })
    const binary = join(directory, "node_modules", "node", "bin", "node")
    writeFileSync(binary, "")
    assert.strictEqual(findNode(inside), binary)
    rmSync(binary)
    const kept = join(directory, ".update", "kept", "c0ffee", "node_modules", "node", "bin")
    mkdirSync(kept, { recursive: true })
    assert.isUndefined(findNode(inside))
    writeFileSync(join(kept, "node"), "")
    assert.strictEqual(findNode(inside), join(kept, "node"))
  })
)
