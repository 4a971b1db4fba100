import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { practiceGateway } from "../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../practice-gateway/src/EmbeddedGateway.ts"
import { operator } from "../../practice-gateway/test/operator.ts"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { runConsole, temporaryDirectory } from "../support/runConsole.ts"

const GATEWAY = '{ gateway: { port: 18999, auth: { token: "the-secret-token" } } }'

describe("agent-console setup", () => {
  it.live("--yes takes the gateway of this machine, writes .env and looks at everything", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      mkdirSync(join(directory, ".openclaw"))
      writeFileSync(join(directory, ".openclaw", "openclaw.json"), GATEWAY)
      const ended = yield* runConsole({ directory, args: ["setup", "--yes"] })
      assert.strictEqual(ended.code, exitCodes.ok, ended.stderr)
      assert.strictEqual(readFileSync(join(directory, ".env"), "utf8"), "HOST=127.0.0.1\nPORT=3080\n")
      assert.match(ended.stdout, /✓ Gateway token/)
      assert.match(ended.stdout, /No gateway is listening at http:\/\/127\.0\.0\.1:18999/)
      assert.include(ended.stdout, "agent-console service install")
      assert.notInclude(`${ended.stdout}${ended.stderr}`, "the-secret-token")
    })
  )

  it.live("--yes without a gateway says what is needed and writes nothing", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const ended = yield* runConsole({ directory, args: ["setup", "--yes"] })
      assert.strictEqual(ended.code, exitCodes.settings)
      assert.include(ended.stderr, "GATEWAY_TOKEN")
      assert.isFalse(existsSync(join(directory, ".env")))
    })
  )

  it.live("without a terminal and without --yes asks nobody", () =>
    Effect.gen(function* () {
      const ended = yield* runConsole({ directory: yield* temporaryDirectory, args: ["setup"] })
      assert.strictEqual(ended.code, exitCodes.usage)
      assert.include(ended.stderr, "--yes")
    })
  )
})

describe("agent-console setup --gateway-agents", () => {
  const withGateway = Effect.fnUntraced(function* (generation: "old" | "new") {
    const directory = yield* temporaryDirectory
    const gateway = yield* Layer.build(practiceGateway({ generation }))
    const { token, url } = Context.get(gateway, EmbeddedGateway)
    const { link } = yield* Effect.provideContext(operator(), gateway)
    const run = (...args: ReadonlyArray<string>) =>
      runConsole({
        directory,
        args: ["setup", "--yes", ...args],
        variables: { GATEWAY_URL: url, GATEWAY_TOKEN: Redacted.value(token) }
      })
    const servers = Effect.map(link.call("config.get"), ({ config }) => Object(Object(Object(config).mcp).servers))
    return { run, servers }
  })

  it.live("on gives the gateway's agents the board, off takes it back, and without it nothing changes", () =>
    Effect.gen(function* () {
      const { run, servers } = yield* withGateway("new")
      const on = yield* run("--gateway-agents", "on")
      assert.strictEqual(on.code, exitCodes.ok, on.stderr)
      assert.include(on.stderr, "Added to the gateway's configuration.")
      assert.notInclude(`${on.stdout}${on.stderr}`, "agc_")
      assert.include((yield* servers)["agent-console"].url, "http://127.0.0.1:3080/mcp?console=")
      assert.strictEqual((yield* run()).code, exitCodes.ok)
      assert.hasAllKeys(yield* servers, ["agent-console"])
      const off = yield* run("--gateway-agents", "off")
      assert.strictEqual(off.code, exitCodes.ok, off.stderr)
      assert.include(off.stderr, "the token is revoked")
      assert.deepStrictEqual(yield* servers, {})
    })
  )

  it.live("on says what is missing where the gateway is too old", () =>
    Effect.gen(function* () {
      const { run } = yield* withGateway("old")
      const refused = yield* run("--gateway-agents", "on")
      assert.strictEqual(refused.code, exitCodes.settings)
      assert.include(refused.stderr, "update the gateway")
    })
  )
})

const hasScript = spawnSync("script", ["--version"]).status === 0
if (!hasScript) console.log("left out: the questions on a terminal, because there is no `script` here to make one")

/** Runs the program in a terminal and answers its questions; returns the terminal's output. */
const onTerminal = (directory: string, answers: ReadonlyArray<readonly [question: string, answer: string]>) =>
  Effect.callback<string>((resume) => {
    const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
    const defines = new URL("../support/sourceDefines.mjs", import.meta.url).href
    const command = `"${process.execPath}" --import "${defines}" "${main}" setup`
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory, SHELL: "/bin/sh" },
      stdio: ["pipe", "pipe", "inherit"]
    })
    const left = [...answers]
    let shown = ""
    let seen = 0
    child.stdout.on("data", (chunk: Buffer) => {
      shown += chunk
      const next = left[0]
      const at = next === undefined ? -1 : shown.indexOf(next[0], seen)
      if (next === undefined || at === -1) return
      seen = at + next[0].length
      left.shift()
      child.stdin.write(`${next[1]}\n`)
    })
    child.on("close", () => resume(Effect.succeed(shown)))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

it.live.skipIf(!hasScript)(
  "on a terminal the questions are asked one by one, and what is secret is not shown (needs the program script)",
  () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const shown = yield* onTerminal(directory, [
        ["Gateway address [", "127.0.0.1:1"],
        ["Gateway token", "the-secret-token"],
        ["Allow other devices", "n"],
        ["Port [", "34571"],
        ["Require a password?", "y"],
        ["New password", "my-password"],
        ["Repeat it", "my-password"],
        ["Language", ""],
        ["OpenAI key", ""]
      ])
      assert.include(shown, "Settings written to .env")
      for (const secret of ["the-secret-token", "my-password"]) assert.notInclude(shown, secret)
      const written = readFileSync(join(directory, ".env"), "utf8")
      for (const line of [
        "GATEWAY_URL=http://127.0.0.1:1",
        "GATEWAY_TOKEN=the-secret-token",
        "PORT=34571",
        "SVC_AUTH=true"
      ]) {
        assert.include(written, `${line}\n`)
      }
    })
)
