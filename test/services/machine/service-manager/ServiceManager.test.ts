import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { ServiceManager } from "../../../../src/services/machine/service-manager/ServiceManager.ts"
import { CommandFailed, Commands } from "../../../../src/services/machine/update/Commands.ts"

/** A machine on which these command lines succeed with this output; every other one fails. */
const findOn = (answers: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const ran: Array<string> = []
    const commands = Layer.mock(Commands, {
      run: ({ program, args }) => {
        const line = [program, ...args].join(" ")
        ran.push(line)
        const answer = answers[line]
        return answer === undefined
          ? Effect.fail(new CommandFailed({ message: `${line} failed`, code: 1, output: "" }))
          : Effect.succeed(answer)
      }
    })
    const found = yield* Effect.flatMap(ServiceManager, ({ find }) => find("/srv/console")).pipe(
      Effect.provide(Layer.provide(ServiceManager.layer, commands))
    )
    return { service: Option.getOrUndefined(found), ran }
  })

const SHOW = "show --property=LoadState,WorkingDirectory agent-console.service"

describe("the service of this console", () => {
  it.effect("is found with this user's systemd first", () =>
    Effect.gen(function* () {
      const { service, ran } = yield* findOn({
        [`systemctl --user ${SHOW}`]: "LoadState=loaded\nWorkingDirectory=/srv/console\n",
        "systemctl --user restart agent-console.service": ""
      })
      assert.include(service?.label ?? "", "this user's")
      assert.isUndefined(service?.problem)
      yield* service?.restart ?? Effect.die("no service")
      assert.strictEqual(ran.at(-1), "systemctl --user restart agent-console.service")
    })
  )

  it.effect("is found with the system's, and not when it runs another folder's console", () =>
    Effect.gen(function* () {
      const system = (folder: string) => ({ [`systemctl ${SHOW}`]: `LoadState=loaded\nWorkingDirectory=${folder}\n` })
      assert.strictEqual((yield* findOn(system("/srv/console"))).service?.label, "agent-console.service of systemd")
      assert.strictEqual((yield* findOn(system(""))).service?.label, "agent-console.service of systemd")
      assert.isUndefined((yield* findOn(system("/srv/other"))).service)
    })
  )

  it.effect("is found with launchd", () =>
    Effect.gen(function* () {
      const user = process.getuid?.() ?? 0
      const { service } = yield* findOn({ [`launchctl print gui/${user}/agent-console`]: "{}" })
      assert.include(service?.label ?? "", "launchd")
    })
  )

  it.effect("may be none, also where a manager knows no such service", () =>
    Effect.gen(function* () {
      assert.isUndefined((yield* findOn({})).service)
      const notThere = "LoadState=not-found\nWorkingDirectory=\n"
      const { service } = yield* findOn({ [`systemctl --user ${SHOW}`]: notThere, [`systemctl ${SHOW}`]: notThere })
      assert.isUndefined(service)
    })
  )

  it.effect("says by what command to see why it did not restart", () =>
    Effect.gen(function* () {
      const { service } = yield* findOn({ [`systemctl --user ${SHOW}`]: "LoadState=loaded\nWorkingDirectory=\n" })
      const refused = yield* Effect.flip(service?.restart ?? Effect.die("no service"))
      assert.include(refused.message, "journalctl --user -u agent-console.service -e")
    })
  )
})
