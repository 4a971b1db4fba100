import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { ServiceInstaller } from "../../../../src/services/machine/service-manager/ServiceInstaller.ts"
import { CommandFailed, Commands } from "../../../../src/services/machine/update/Commands.ts"

const service = {
  node: "/usr/bin/node",
  script: "/srv/console/dist/cli.js",
  directory: "/srv/console",
  logFile: "/tmp/console.log",
  user: "alice",
  path: "/home/alice/.local/bin:/usr/bin:/bin"
}

/** An installer on a machine with this home, on which these command lines fail and all others succeed. */
const makeInstaller = (options: {
  readonly platform?: NodeJS.Platform
  readonly fails?: RegExp
  readonly answers?: Readonly<Record<string, string>>
}) =>
  Effect.gen(function* () {
    const home = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-service-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const ran: Array<string> = []
    const commands = Layer.mock(Commands, {
      run: ({ program, args }) => {
        const line = [program, ...args].join(" ")
        ran.push(line)
        return options.fails?.test(line) === true
          ? Effect.fail(new CommandFailed({ message: `${line} failed`, code: 1, output: "first\nAccess denied\n" }))
          : Effect.succeed(options.answers?.[line] ?? "")
      }
    })
    const places = {
      homeDir: home,
      configDir: join(home, ".config"),
      userId: 501,
      platform: options.platform ?? "linux"
    }
    const installer = yield* Effect.service(ServiceInstaller).pipe(
      Effect.provide(ServiceInstaller.layer(places).pipe(Layer.provide(commands), Layer.provide(NodeServices.layer)))
    )
    return { installer, home, ran }
  })

const SHOW =
  "systemctl --user show --property=LoadState,ActiveState,SubState,UnitFileState,MainPID agent-console.service"

describe("a service of systemd", () => {
  it.effect("is written, started and enabled, and taken away again", () =>
    Effect.gen(function* () {
      const { installer, home, ran } = yield* makeInstaller({})
      assert.strictEqual(yield* installer.manager, "systemd-user")
      yield* installer.install("systemd-user", service)
      const file = join(home, ".config/systemd/user/agent-console.service")
      assert.include(readFileSync(file, "utf8"), "/srv/console/dist/cli.js")
      assert.deepStrictEqual(ran.slice(2), [
        "systemctl --user daemon-reload",
        "systemctl --user enable agent-console.service",
        "systemctl --user restart agent-console.service",
        "loginctl enable-linger"
      ])
      assert.isTrue(yield* installer.uninstall("systemd-user"))
      assert.isFalse(existsSync(file))
      assert.include(ran, "systemctl --user disable --now agent-console.service")
      assert.isFalse(yield* installer.uninstall("systemd-user"))
    })
  )

  it.effect("reports its status", () =>
    Effect.gen(function* () {
      const stands = (text: string) =>
        Effect.gen(function* () {
          const { installer } = yield* makeInstaller({ answers: { [SHOW]: text } })
          return Option.getOrUndefined(yield* installer.state("systemd-user"))
        })
      const running = yield* stands(
        "LoadState=loaded\nActiveState=active\nSubState=running\nUnitFileState=enabled\nMainPID=42\n"
      )
      assert.deepInclude(running, {
        isRunning: true,
        startsByItself: true,
        needsSession: false,
        words: "active (running), process 42"
      })
      const failed = yield* stands(
        "LoadState=loaded\nActiveState=failed\nSubState=failed\nUnitFileState=disabled\nMainPID=0\n"
      )
      assert.deepInclude(failed, { isRunning: false, startsByItself: false, words: "failed (failed)" })
      assert.isUndefined(yield* stands("LoadState=not-found\n"))
    })
  )

  it.effect("says that it ends with the session where its user may not stay", () =>
    Effect.gen(function* () {
      const text = "LoadState=loaded\nActiveState=active\nSubState=running\nUnitFileState=enabled\nMainPID=42\n"
      for (const [linger, needsSession] of [
        ["Linger=no\n", true],
        ["Linger=yes\n", false],
        ["", false]
      ] as const) {
        const answers = { [SHOW]: text, "loginctl show-user 501 --property=Linger": linger }
        const { installer } = yield* makeInstaller({ fails: /enable-linger/, answers })
        yield* installer.install("systemd-user", service)
        assert.deepInclude(Option.getOrUndefined(yield* installer.state("systemd-user")), { needsSession })
      }
    })
  )

  it.effect("that is refused says by what, and where there is no manager that is said", () =>
    Effect.gen(function* () {
      const { installer } = yield* makeInstaller({ fails: /enable agent/ })
      const error = yield* Effect.flip(installer.install("systemd-user", service))
      assert.include(error.message, "Access denied")
      const none = yield* makeInstaller({ fails: /^systemctl --version/ })
      assert.include((yield* Effect.flip(none.installer.manager)).message, "neither systemd nor launchd")
    })
  )
})

describe("an agent of launchd", () => {
  it.effect("is written and started, also in place of one that runs, and taken away again", () =>
    Effect.gen(function* () {
      const { installer, home, ran } = yield* makeInstaller({ platform: "darwin", fails: /bootout/ })
      assert.strictEqual(yield* installer.manager, "launchd")
      yield* installer.install("launchd", service)
      const file = join(home, "Library/LaunchAgents/agent-console.plist")
      assert.isTrue(existsSync(file))
      assert.strictEqual(ran.at(-1), `launchctl bootstrap gui/501 ${file}`)
      assert.isTrue(yield* installer.uninstall("launchd"))
      assert.isFalse(existsSync(file))
    })
  )

  it.effect("reports its status", () =>
    Effect.gen(function* () {
      const answers = { "launchctl print gui/501/agent-console": "x = {\n\tstate = running\n\tpid = 77\n}\n" }
      const { installer } = yield* makeInstaller({ platform: "darwin", answers })
      assert.deepInclude(Option.getOrUndefined(yield* installer.state("launchd")), {
        isRunning: true,
        words: "running, process 77"
      })
    })
  )
})
