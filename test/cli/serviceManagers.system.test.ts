import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { launchdPlist, systemdUnit } from "../../src/services/machine/service-manager/serviceFiles.ts"
import { fakePrograms } from "../support/fakePrograms.ts"
import { printed } from "../support/printed.ts"
import { runConsole, startConsole, temporaryDirectory } from "../support/runConsole.ts"

const ON_MACHINE = fileURLToPath(new URL("../support/onMachine.mjs", import.meta.url))

/** What `systemctl show` says of a unit. */
const shown = (active: string, sub = "running") =>
  `printf 'LoadState=loaded\\nActiveState=${active}\\nSubState=${sub}\\nUnitFileState=enabled\\nMainPID=42\\n'`

/** A `systemctl` whose user has this unit, and whose system has that one. */
const systemctl = (options: { readonly user?: string; readonly system?: string; readonly restart?: string }) => `
case "$*" in
  *--user*show*) ${options.user ?? "echo LoadState=not-found"} ;;
  *show*) ${options.system ?? "echo LoadState=not-found"} ;;
  *restart*) ${options.restart ?? "true"} ;;
esac`

const loginctl = (linger: string, enable: string) => `
case "$*" in
  enable-linger*) ${enable} ;;
  show-user*) echo Linger=${linger} ;;
esac`

/** A command of a user on a machine with these programs. */
const service = (options: {
  readonly directory: string
  readonly programs: Readonly<Record<string, string>>
  readonly args: ReadonlyArray<string>
  readonly platform?: string
  readonly user?: string
  readonly variables?: Readonly<Record<string, string>>
}) => {
  const fakes = fakePrograms(options.directory, options.programs)
  const command = {
    directory: options.directory,
    args: ["service", ...options.args],
    nodeArgs: ["--import", ON_MACHINE],
    variables: {
      PATH: fakes.path,
      TEST_USER: options.user ?? "501",
      TEST_PLATFORM: options.platform ?? "linux",
      ...options.variables
    }
  }
  return { command, calls: fakes.calls }
}

const run = (options: Parameters<typeof service>[0]) => {
  const { calls, command } = service(options)
  return Effect.map(runConsole(command), (ended) => ({ ...ended, calls: calls() }))
}

describe("a service of systemd", () => {
  const running = systemctl({ user: shown("active") })

  it.live("is installed with the PATH of the shell, in which its programs are found", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const programs = { systemctl: running, loginctl: loginctl("yes", "true") }
      const ended = yield* run({ directory, programs, args: ["install"] })
      assert.strictEqual(ended.code, exitCodes.ok, ended.stderr)
      assert.match(
        ended.stdout,
        /^The console is running as a service of your user's systemd: http:\S+\. It starts automatically\.\n$/
      )
      const unit = readFileSync(join(directory, ".config/systemd/user/agent-console.service"), "utf8")
      assert.include(unit, `Environment="PATH=${join(directory, "fake-bin")}:`)
      assert.includeMembers(
        [...ended.calls],
        ["systemctl --user restart agent-console.service", "loginctl enable-linger"]
      )
    })
  )

  it.live("names the command of an administrator where it can't go on without its user", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const programs = { systemctl: running, loginctl: loginctl("no", "echo 'Access denied' >&2; exit 1") }
      for (const args of [["install"], ["status"]]) {
        const ended = yield* run({ directory, programs, args })
        assert.strictEqual(ended.code, exitCodes.ok, ended.stderr)
        assert.match(
          ended.stdout,
          /It stops when you sign out and doesn't start with the machine: `sudo loginctl enable-linger \w+` lets it run all the time\.\n$/
        )
      }
    })
  )

  it.live("says which programs sudo's PATH doesn't have", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeFileSync(join(directory, ".env"), "GATEWAY_TOKEN=x\nFFMPEG_COMMAND=no-such-ffmpeg\n")
      const ended = yield* run({
        directory,
        programs: { systemctl: running, git: "true", openclaw: "true" },
        args: ["install", "--print"],
        user: "0",
        variables: { SUDO_USER: "alice" }
      })
      assert.strictEqual(ended.code, exitCodes.ok, ended.stderr)
      assert.match(ended.stdout, /^User=alice$/m)
      assert.match(ended.stderr, /with the PATH of sudo, the service won't find \S*ffmpeg\. .*`sudo env "PATH=\$PATH"/)
    })
  )

  it.live("is restarted, and says by what to see why it stopped again", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const restarted = yield* run({ directory, programs: { systemctl: running }, args: ["restart"] })
      assert.strictEqual(restarted.code, exitCodes.ok, restarted.stderr)
      assert.strictEqual(
        restarted.stdout,
        "The service was restarted by your user's systemd: active (running), process 42.\n"
      )
      assert.includeMembers(
        [...restarted.calls],
        ["systemctl --user reset-failed agent-console.service", "systemctl --user restart agent-console.service"]
      )
      const stopped = yield* run({
        directory,
        programs: { systemctl: systemctl({ user: shown("failed", "failed") }) },
        args: ["restart"]
      })
      assert.strictEqual(stopped.code, exitCodes.service)
      assert.strictEqual(
        stopped.stderr,
        "agent-console: the service was restarted, but the console stopped at once: `agent-console service logs` says why\n"
      )
    })
  )

  it.live("of the whole machine is shown to every user, and restarted by an administrator", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const programs = { systemctl: systemctl({ system: shown("active"), restart: "echo denied >&2; exit 1" }) }
      const status = yield* run({ directory, programs, args: ["status"] })
      assert.match(status.stdout, /^the system's systemd: active \(running\)/)
      const refused = yield* run({ directory, programs, args: ["restart"] })
      assert.strictEqual(refused.code, exitCodes.service)
      assert.strictEqual(
        refused.stderr,
        "agent-console: only an administrator may restart it: `sudo systemctl restart agent-console.service`\n"
      )
      const left = yield* run({ directory, programs, args: ["uninstall"] })
      assert.strictEqual(left.code, exitCodes.service)
      assert.strictEqual(
        left.stderr,
        "agent-console: the service is the whole machine's: `sudo agent-console service uninstall` removes it\n"
      )
    })
  )

  it.live("has its log in the journal, of which the last lines are shown", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const programs = { systemctl: running, journalctl: "echo 'console: started'" }
      const logs = yield* run({ directory, programs, args: ["logs"] })
      assert.deepStrictEqual([logs.code, logs.stdout, logs.stderr], [exitCodes.ok, "console: started\n", ""])
      assert.strictEqual(logs.calls.at(-1), "journalctl --user --unit=agent-console.service --lines=100 --no-pager")
      const system = { systemctl: systemctl({ system: shown("active") }), journalctl: "true" }
      const few = yield* run({ directory, programs: system, args: ["logs", "--lines", "5"] })
      assert.strictEqual(few.calls.at(-1), "journalctl --unit=agent-console.service --lines=5 --no-pager")
      const wrong = yield* run({ directory, programs, args: ["logs", "-n", "-1"] })
      assert.strictEqual(wrong.code, exitCodes.usage)
    })
  )

  it.live("is followed until Ctrl-C", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { calls, command } = service({
        directory,
        programs: { systemctl: running, journalctl: "echo 'console: started'; exec tail -f /dev/null" },
        args: ["logs", "-f"]
      })
      const follower = yield* startConsole(command)
      yield* printed(follower, /console: started/)
      assert.match(calls().at(-1) ?? "", /--no-pager --follow$/)
      follower.child.kill("SIGINT")
      assert.strictEqual((yield* Effect.promise(() => follower.ended)).code, exitCodes.interrupted)
    })
  )

  it.live("whose log can't be read, or that isn't installed, has a code of its own", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const refused = yield* run({
        directory,
        programs: { systemctl: running, journalctl: "echo 'No journal files were opened' >&2; exit 1" },
        args: ["logs"]
      })
      assert.strictEqual(refused.code, exitCodes.service)
      assert.include(refused.stderr, "agent-console: couldn't read the log: journalctl ended with 1\n")
      for (const command of ["status", "restart", "logs"]) {
        const none = yield* run({ directory, programs: { systemctl: systemctl({}) }, args: [command] })
        assert.strictEqual(none.code, exitCodes.service, command)
        assert.strictEqual(
          none.stderr,
          "agent-console: the service isn't installed: run `agent-console service install`\n"
        )
      }
    })
  )
})

describe("an agent of launchd", () => {
  const launchctl = "case \"$1\" in print) printf 'x = {\\n\\tstate = running\\n\\tpid = 77\\n}\\n' ;; esac"
  const onMac = (directory: string, programs: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
    run({ directory, programs: { launchctl, ...programs }, args, platform: "darwin" })

  it.live("is installed, restarted and taken away, its log in the file that it names", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const installed = yield* onMac(directory, {}, "install")
      assert.strictEqual(installed.code, exitCodes.ok, installed.stderr)
      assert.include(installed.stdout, "It starts when you sign in, and stops when you sign out.")
      const plist = join(directory, "Library/LaunchAgents/agent-console.plist")
      assert.include(readFileSync(plist, "utf8"), `<key>PATH</key><string>${join(directory, "fake-bin")}:`)

      const restarted = yield* onMac(directory, {}, "restart")
      assert.strictEqual(restarted.stdout, "The service was restarted by launchd: running, process 77.\n")
      assert.include(restarted.calls, "launchctl kickstart -k gui/501/agent-console")

      const log = join(directory, ".agent-console/console.log")
      mkdirSync(join(directory, ".agent-console"), { recursive: true })
      writeFileSync(log, "one\ntwo\nthree\n")
      assert.strictEqual((yield* onMac(directory, {}, "logs", "-n", "2")).stdout, "two\nthree\n")
      const followed = yield* onMac(directory, { tail: "true" }, "logs", "--follow")
      assert.strictEqual(followed.calls.at(-1), `tail -n 100 -F ${log}`)

      const removed = yield* onMac(directory, {}, "uninstall")
      assert.strictEqual(removed.code, exitCodes.ok, removed.stderr)
      assert.isFalse(existsSync(plist))
    })
  )
})

describe("the doctor of a console that doesn't run", () => {
  const definition = (directory: string) => ({
    node: process.execPath,
    script: "/srv/console/dist/cli.js",
    directory,
    logFile: join(directory, "console.log"),
    user: "alice",
    path: `${join(directory, "only-the-service")}:${process.env.PATH}`
  })

  it.live.each([
    [".config/systemd/user/agent-console.service", (directory: string) => systemdUnit(definition(directory), "user")],
    ["Library/LaunchAgents/agent-console.plist", (directory: string) => launchdPlist(definition(directory))]
  ] as const)("looks for programs where its service would: %s", ([file, text]) =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeFileSync(join(directory, ".env"), "PORT=0\nGATEWAY_URL=http://127.0.0.1:1\nGATEWAY_TOKEN=x\n")
      mkdirSync(join(directory, ".openclaw"))
      mkdirSync(join(directory, "only-the-service"))
      writeFileSync(join(directory, "only-the-service/openclaw"), "#!/bin/sh\necho 2026.9.6\n", { mode: 0o755 })
      const before = yield* runConsole({ directory, args: ["doctor", "."] })
      assert.match(before.stdout, /^! openclaw +Couldn't run it/m)
      mkdirSync(join(directory, file, ".."), { recursive: true })
      writeFileSync(join(directory, file), text(directory))
      const after = yield* runConsole({ directory, args: ["doctor", "."] })
      assert.match(after.stdout, /^✓ openclaw +Version 2026\.9\.6\.$/m)
    })
  )
})
