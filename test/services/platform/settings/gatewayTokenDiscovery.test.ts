import { NodeServices } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, FileSystem, Path, Redacted } from "effect"
import { discoverGateway } from "../../../../src/services/platform/settings/gatewayTokenDiscovery.ts"

const home = Effect.fnUntraced(function* (files: Record<string, string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const dir = yield* fs.makeTempDirectoryScoped()
  for (const [name, text] of Object.entries(files)) yield* fs.writeFileString(path.join(dir, name), text)
  return dir
})

const discover = Effect.fnUntraced(function* (files: Record<string, string>, env: Record<string, string> = {}) {
  const { token } = yield* discoverGateway(yield* home(files), env)
  return token === undefined ? undefined : Redacted.value(token)
})

const failure = (files: Record<string, string>, env: Record<string, string> = {}) =>
  Effect.map(Effect.flip(discover(files, env)), (error) => error.message)

const braced = (name: string) => `$\{${name}}`

const withToken = (token: unknown) => ({ "openclaw.json": JSON.stringify({ gateway: { auth: { token } } }) })

layer(NodeServices.layer)("gateway token discovery", (it) => {
  describe("found", () => {
    it.effect("no file, no token", () => Effect.map(discover({}), (token) => assert.strictEqual(token, undefined)))

    it.effect("no directory, no token", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* discoverGateway("/nonexistent/gateway", {}), {
          token: undefined,
          port: undefined
        })
      })
    )

    it.effect("reads JSON5 with comments, single quotes and trailing commas", () =>
      Effect.gen(function* () {
        const text = "// mine\n{ gateway: { auth: { mode: 'token', token: 'abc', }, port: 19001, }, }"
        const dir = yield* home({ "openclaw.json": text })
        const gateway = yield* discoverGateway(dir, {})
        assert.strictEqual(gateway.port, 19001)
        assert.strictEqual(gateway.token === undefined ? undefined : Redacted.value(gateway.token), "abc")
      })
    )

    for (const reference of [braced("MY_TOKEN"), "$MY_TOKEN", { source: "env", provider: "default", id: "MY_TOKEN" }]) {
      it.effect(`follows ${JSON.stringify(reference)}`, () =>
        Effect.gen(function* () {
          assert.strictEqual(yield* discover(withToken(reference), { MY_TOKEN: "from-env" }), "from-env")
        })
      )
    }

    it.effect("looks in the environment, then in the gateway's .env, then in the file's env block", () =>
      Effect.gen(function* () {
        const config = JSON.stringify({ env: { vars: { T: "inline" } }, gateway: { auth: { token: braced("T") } } })
        const both = { "openclaw.json": config, ".env": "T='dotenv'\n" }
        assert.strictEqual(yield* discover(both, { T: "process" }), "process")
        assert.strictEqual(yield* discover(both, { T: "" }), "dotenv")
        assert.strictEqual(yield* discover({ "openclaw.json": config }), "inline")
      })
    )

    it.effect("replaces references inside a longer text and keeps escaped ones", () =>
      Effect.gen(function* () {
        assert.strictEqual(
          yield* discover(withToken(`a-${braced("T")}-$${braced("T")}`), { T: "1" }),
          `a-1-${braced("T")}`
        )
      })
    )

    it.effect("takes the gateway's own variable when the file has no token", () =>
      Effect.gen(function* () {
        const env = { OPENCLAW_GATEWAY_TOKEN: "own" }
        assert.strictEqual(yield* discover({ "openclaw.json": "{}" }, env), "own")
        assert.strictEqual(yield* discover(withToken(""), env), "own")
        assert.strictEqual(yield* discover({}, env), "own")
        assert.strictEqual(yield* discover({ ".env": "OPENCLAW_GATEWAY_TOKEN=dotenv" }), "dotenv")
        assert.strictEqual(yield* discover({ "openclaw.json": "{}" }), undefined)
      })
    )
  })

  it.effect("a port that cannot be used is left out, the token is found", () =>
    Effect.gen(function* () {
      for (const port of [0, 65536, "18789", 1.5, null]) {
        const dir = yield* home({ "openclaw.json": JSON.stringify({ gateway: { port, auth: { token: "t" } } }) })
        const gateway = yield* discoverGateway(dir, {})
        assert.strictEqual(gateway.port, undefined)
        assert.isDefined(gateway.token)
      }
    })
  )

  it.effect("an unreadable .env does not matter where the file itself holds the token", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const dir = yield* home(withToken("t"))
      yield* fs.makeDirectory(`${dir}/.env`)
      assert.isDefined((yield* discoverGateway(dir, {})).token)
    })
  )

  describe("refused with a sentence", () => {
    it.effect("a damaged file, with the place and without its path or content", () =>
      Effect.gen(function* () {
        const message = yield* failure({ "openclaw.json": "{\n  gateway: { auth: { token: 'secret-1' } }\n  x" })
        assert.match(message, /openclaw\.json .* is invalid \(line 3, column 3\).*GATEWAY_TOKEN/)
        assert.notInclude(message, "secret-1")
        assert.notInclude(message, "/tmp")
      })
    )

    it.effect("sections of another shape", () =>
      Effect.gen(function* () {
        for (const text of ["null", "[]", "7", '{"gateway":5}', '{"gateway":{"auth":{"token":{"a":1}}}}']) {
          assert.include(yield* failure({ "openclaw.json": text }), "GATEWAY_TOKEN")
        }
      })
    )

    it.effect("a variable that is not set", () =>
      Effect.gen(function* () {
        assert.match(yield* failure(withToken(braced("MY_TOKEN"))), /variable MY_TOKEN.*isn't set/)
        assert.match(
          yield* failure(withToken(`a${braced("MY_TOKEN")}`), { MY_TOKEN: "" }),
          /variable MY_TOKEN.*isn't set/
        )
      })
    )

    it.effect("a secret store that only the gateway can read", () =>
      Effect.gen(function* () {
        const reference = { source: "exec", provider: "vault", id: "a/b" }
        assert.match(yield* failure(withToken(reference)), /secret store \(exec\).*GATEWAY_TOKEN/)
      })
    )

    it.effect("a directory in the file's place", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const dir = yield* home({})
        yield* fs.makeDirectory(`${dir}/openclaw.json`)
        const error = yield* Effect.flip(discoverGateway(dir, {}))
        assert.include(error.message, "isn't a settings file")
      })
    )
  })
})
