import { existsSync } from "node:fs"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import { Commands } from "../../../../src/services/machine/update/Commands.ts"
import { Processes } from "../../../../src/services/machine/update/Processes.ts"
import { UpdateReport } from "../../../../src/services/machine/update/UpdateReport.ts"
import { UpdateTarget } from "../../../../src/services/machine/update/UpdateTarget.ts"

const Alone = Commands.layer.pipe(
  Layer.provideMerge(Processes.layer),
  Layer.provide([
    Layer.mock(UpdateReport, { detail: () => Effect.void }),
    Layer.succeed(UpdateTarget, {
      directory: "/",
      svcHome: "/",
      address: "",
      path: process.env.PATH,
      releasesUrl: undefined,
      allowedSigners: undefined
    })
  ]),
  Layer.provide(NodeServices.layer)
)

const shell = (script: string) =>
  Effect.flatMap(Commands, (commands) => commands.run({ program: "sh", args: ["-c", script], timeLimit: "20 seconds" }))

describe("a program of an update", () => {
  it.live("answers what it wrote, and every piece of it goes to who listens", () =>
    Effect.gen(function* () {
      const heard = yield* Ref.make("")
      yield* Effect.flatMap(Commands, (commands) => commands.onOutput((text) => Ref.update(heard, (all) => all + text)))
      assert.strictEqual(yield* shell("echo out; echo err >&2"), "out\n")
      for (const part of ["$ sh -c", "out\n", "err\n"]) assert.include(yield* Ref.get(heard), part)
    }).pipe(Effect.provide(Alone))
  )

  it.live("that fails hands over all it wrote, from the first line on", () =>
    Effect.gen(function* () {
      const { message, output } = yield* Effect.flip(shell("echo first; seq 1 3000; exit 7"))
      assert.match(message, /^sh -c .* failed$/)
      assert.match(output, /^first\n1\n.*\n3000\n$/s)
    }).pipe(Effect.provide(Alone))
  )

  it.live("that was killed is not called a missing one", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(shell("kill -9 $$"))
      assert.match(message, /was killed$/)
    }).pipe(Effect.provide(Alone))
  )

  it.live("that was killed does not leave what it had started at work, and that is not waited for", () =>
    Effect.gen(function* () {
      const { message, output } = yield* Effect.flip(shell("sleep 1000 & echo $!; kill -9 $$"))
      assert.match(message, /was killed$/)
      assert.isFalse(existsSync(`/proc/${output.trim()}/exe`))
    }).pipe(Effect.provide(Alone))
  )
})
