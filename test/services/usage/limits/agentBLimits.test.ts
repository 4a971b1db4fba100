import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { readAgentBLimits } from "../../../../src/services/usage/limits/agentBLimits.ts"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { testSettings } from "../../../support/testSettings.ts"

const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))

it.effect.each([
  { name: "hangs", script: "exec sleep 600" },
  { name: "hangs and does not listen to SIGTERM", script: "trap '' TERM\nwhile :; do sleep 0.05; done" }
])("a tool that $name is killed after 20 seconds, and the answer says so", ({ script }) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const tool = `${folder}/agent-b`
    writeFileSync(tool, `#!/bin/sh\necho $$ > ${folder}/pid.new && mv ${folder}/pid.new ${folder}/pid\n${script}\n`)
    chmodSync(tool, 0o755)
    const asking = yield* Effect.forkChild(
      readAgentBLimits(testSettings({ svcHome: folder, agentBCommand: tool })).pipe(Effect.provide(NodeServices.layer)),
      { startImmediately: true }
    )
    while (!existsSync(`${folder}/pid`)) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    const pid = Number(readFileSync(`${folder}/pid`, "utf8"))
    yield* TestClock.adjust("19 seconds")
    assert.isTrue(isAlive(pid))
    yield* TestClock.adjust("1 second")
    for (let second = 0; asking.pollUnsafe() === undefined && second < 2000; second += 1) {
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust("10 millis")
    }
    assert.deepStrictEqual(yield* Fiber.join(asking), {
      available: false,
      error: "Claude Code took too long: run it once by hand on this machine",
      why: { code: "AGENT_B_TIMED_OUT" }
    })
    while (isAlive(pid)) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  })
)
