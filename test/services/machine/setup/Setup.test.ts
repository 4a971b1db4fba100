import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { assumptionProblem, Setup } from "../../../../src/services/machine/setup/Setup.ts"
import type { SettingsShape } from "../../../../src/services/platform/settings/Settings.ts"
import { answeredQuestions } from "../../../support/answeredQuestions.ts"
import { freePort } from "../../../support/freePort.ts"
import { testSettings } from "../../../support/testSettings.ts"

/** A set-up whose questions are answered. */
const setupWith = (answers: Parameters<typeof answeredQuestions>[0]) => {
  const { layer: questions, told } = answeredQuestions(answers)
  const layer = Setup.layer.pipe(Layer.provide([questions, FetchHttpClient.layer]), Layer.provide(NodeServices.layer))
  const ask = (settings: Partial<SettingsShape>, isTokenFound = false) =>
    Effect.flatMap(Setup, (setup) => setup.ask({ settings: testSettings(settings), isTokenFound })).pipe(
      Effect.provide(layer)
    )
  return { ask, told, layer }
}

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-setup-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe("the questions", () => {
  it.effect("ask nothing of a gateway whose settings are on this machine, and open nothing by themselves", () =>
    Effect.gen(function* () {
      const port = String(yield* Effect.promise(freePort))
      const { ask, told } = setupWith([["Port", port]])
      const variables = yield* ask({ gatewayToken: Redacted.make("t") }, true)
      assert.deepStrictEqual(variables, { HOST: "127.0.0.1", PORT: port, SVC_AUTH: "false", SVC_LANGUAGE: "en" })
      assert.isFalse(told.some((line) => line.startsWith("Token")))
    })
  )

  it.effect("take address and token of another machine's gateway, and ask again for what cannot be used", () =>
    Effect.gen(function* () {
      const { ask, told } = setupWith([
        ["Gateway address", "ftp://nowhere"],
        ["Gateway address", "gw.example.org:1234"],
        ["Gateway token", "with a blank"],
        ["Gateway token", "abc"],
        ["Port", "many"],
        ["Port", String(yield* Effect.promise(freePort))],
        ["Language", "tlh"],
        ["Language", "de"],
        ["OpenAI key", "sk-1"]
      ])
      assert.deepInclude(yield* ask({}), {
        GATEWAY_URL: "http://gw.example.org:1234",
        GATEWAY_TOKEN: "abc",
        SVC_LANGUAGE: "de",
        VENDOR_A_API_KEY: "sk-1"
      })
      assert.include(told.join("\n"), "need quotes")
    })
  )

  it.effect("never leave a console that others reach without a password", () =>
    Effect.gen(function* () {
      const { ask } = setupWith([
        ["Allow other devices", "y"],
        ["Port", String(yield* Effect.promise(freePort))],
        ["Addresses", "http://192.168.1.5:3080"],
        ["New password", ""],
        ["New password", "first"],
        ["Repeat it", "other"],
        ["New password", "secret"],
        ["Repeat it", "secret"]
      ])
      const variables = yield* ask({})
      assert.deepInclude(variables, { HOST: "0.0.0.0", SVC_AUTH: "true", ALLOWED_ORIGINS: "http://192.168.1.5:3080" })
      assert.match(variables.SVC_PASSWORD_HASH ?? "", /^[0-9a-f]{64}:[0-9a-f]{128}$/)
      assert.match(variables.SVC_SESSION_SECRET ?? "", /^[0-9a-f]{64}$/)
    })
  )

  it.effect("say what the first visit over HTTPS does to other services at that name", () =>
    Effect.gen(function* () {
      const port = String(yield* Effect.promise(freePort))
      const { ask, told } = setupWith([
        ["Allow other devices", "y"],
        ["Port", port],
        ["Addresses", "https://nas.example:3443"],
        ["New password", "secret"],
        ["Repeat it", "secret"]
      ])
      yield* ask({})
      const said = told.find((line) => line.includes("https://nas.example")) ?? ""
      assert.include(said, "HSTS=off")
    })
  )

  it.effect("keep the password and the key that are there", () =>
    Effect.gen(function* () {
      const secret = Redacted.make("x")
      const { ask } = setupWith([["Port", String(yield* Effect.promise(freePort))]])
      const variables = yield* ask({ authEnabled: true, passwordHash: secret, sessionSecret: secret })
      assert.strictEqual(variables.SVC_AUTH, "true")
      assert.notProperty(variables, "SVC_PASSWORD_HASH")
      assert.notProperty(variables, "SVC_SESSION_SECRET")
    })
  )

  it.effect("do not take a port that another program has", () =>
    Effect.gen(function* () {
      const taken = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const server = createServer((socket) => socket.end("hello\n")).listen(0, "127.0.0.1", () =>
            resume(Effect.succeed(server))
          )
        }),
        (server) => Effect.sync(() => server.close())
      )
      const address = taken.address()
      const port = String(yield* Effect.promise(freePort))
      const { ask, told } = setupWith([
        ["Port", String(typeof address === "object" && address !== null ? address.port : 0)],
        ["Port", port]
      ])
      assert.strictEqual((yield* ask({})).PORT, port)
      assert.isTrue(told.some((line) => line.startsWith("Another program is using port")))
    })
  )
})

describe("without questions", () => {
  it("a gateway has to be found, and nothing is opened", () => {
    assert.include(assumptionProblem({ settings: testSettings(), isTokenFound: false }) ?? "", "GATEWAY_TOKEN")
    const settings = testSettings({ gatewayToken: Redacted.make("t") })
    assert.isUndefined(assumptionProblem({ settings, isTokenFound: true }))
  })

  it.effect("a session key is made where sign-in is on", () =>
    Effect.gen(function* () {
      const { layer } = setupWith([])
      const setup = yield* Effect.service(Setup).pipe(Effect.provide(layer))
      assert.deepStrictEqual(setup.assume({ settings: testSettings(), isTokenFound: true }), {
        HOST: "127.0.0.1",
        PORT: "3080"
      })
      const variables = setup.assume({ settings: testSettings({ authEnabled: true }), isTokenFound: true })
      assert.match(variables.SVC_SESSION_SECRET ?? "", /^[0-9a-f]{64}$/)
    })
  )
})

describe("the file", () => {
  it.effect("keeps every line that is not set, its mode and its order; a new one is its owner's alone", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const setup = yield* Effect.service(Setup).pipe(Effect.provide(setupWith([]).layer))
      assert.isTrue(yield* setup.write(folder, { PORT: "1" }))
      assert.strictEqual(statSync(join(folder, ".env")).mode & 0o777, 0o600)
      writeFileSync(join(folder, ".env"), "# mine\nPORT='1' # why\n\nOTHER=x y\n", { mode: 0o640 })
      assert.isTrue(yield* setup.write(folder, { PORT: "2", HOST: "127.0.0.1" }))
      assert.strictEqual(
        readFileSync(join(folder, ".env"), "utf8"),
        "# mine\nPORT='2' # why\n\nOTHER=x y\nHOST=127.0.0.1\n"
      )
      assert.isFalse(yield* setup.write(folder, { PORT: "2" }))
    })
  )

  it.effect("that cannot be written is said in a sentence", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const setup = yield* Effect.service(Setup).pipe(Effect.provide(setupWith([]).layer))
      const error = yield* Effect.flip(setup.write(join(folder, "missing"), { PORT: "1" }))
      assert.include(error.message, "couldn't write .env")
    })
  )
})
