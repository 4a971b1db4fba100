import { mkdirSync, writeFileSync } from "node:fs"
import { get, type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { temporaryFolder } from "../../support/fileServices.ts"
import { listen } from "../../support/listen.ts"
import { within } from "../../support/ownTime.ts"

const BYTES = 64_000_000

/** A console with sign-in, two people who are signed in, and a large file. */
const signedIn = Effect.gen(function* () {
  const gatewayHome = yield* temporaryFolder
  mkdirSync(join(gatewayHome, "workspace"))
  writeFileSync(join(gatewayHome, "workspace", "large.bin"), Buffer.alloc(BYTES))
  const { base, ports } = yield* listen({ authEnabled: true, gatewayToken: Redacted.make("the token"), gatewayHome })
  const login = Effect.promise(async () => {
    const body = JSON.stringify({ password: "the token" })
    const answer = await fetch(`${base}/api/auth/login`, { method: "POST", body })
    await answer.text()
    return answer.headers.get("set-cookie")?.split(";")[0] ?? ""
  })
  const logout = (cookie: string) =>
    Effect.promise(async () => {
      const answer = await fetch(`${base}/api/auth/logout`, { method: "POST", headers: { cookie } })
      return answer.text()
    })
  return { port: ports.http, base, logout, cookie: yield* login, other: yield* login }
})

/** Begins to read the large file and stops. */
const download = (port: number, cookie: string) =>
  Effect.callback<IncomingMessage>((resume) => {
    const asked = get({ port, host: "127.0.0.1", path: "/api/files/download?path=large.bin", headers: { cookie } })
    asked.on("response", (response) => {
      response.on("error", () => undefined)
      response.once("data", () => {
        response.pause()
        resume(Effect.succeed(response))
      })
    })
  })

/** How many more bytes of it come. */
const rest = (response: IncomingMessage) =>
  Effect.callback<number>((resume) => {
    let count = 0
    response.on("data", (data: Buffer) => {
      count += data.length
    })
    response.on("close", () => resume(Effect.succeed(count)))
    response.resume()
  })

/** Over within what a person may wait for after signing out. */
const soon = within(2500)

it.layer(NodeServices.layer, { excludeTestServices: true })((it) => {
  it.effect("signing out cuts that session's downloads, also those that nobody reads", () =>
    Effect.gen(function* () {
      const { cookie, logout, other, port } = yield* signedIn
      const own = yield* download(port, cookie)
      const kept = yield* download(port, other)
      yield* logout(cookie)
      assert.isBelow(yield* soon(rest(own)), BYTES / 2)
      assert.isFalse(own.complete)
      assert.isAbove(yield* rest(kept), BYTES - 1_000_000)
      assert.isTrue(kept.complete)
    })
  )

  it.effect("signing out cuts requests whose body is still coming, before they change anything", () =>
    Effect.gen(function* () {
      const { base, cookie, logout, other, port } = yield* signedIn
      const slow = request({
        port,
        host: "127.0.0.1",
        method: "POST",
        path: "/api/agentlog",
        headers: { cookie, "content-type": "application/json", expect: "100-continue" }
      })
      const over = Promise.withResolvers<string>()
      slow.on("error", () => over.resolve("cut"))
      slow.on("response", (response) => over.resolve(`answered ${response.statusCode}`))
      yield* Effect.callback<void>((resume) => {
        slow.once("continue", () => resume(Effect.void))
        slow.flushHeaders()
      })
      slow.write('{"text":"too ')
      yield* logout(cookie)
      slow.end('late"}')
      assert.strictEqual(yield* soon(Effect.promise(() => over.promise)), "cut")
      const log = yield* Effect.promise(async () =>
        (await fetch(`${base}/api/agentlog`, { headers: { cookie: other } })).text()
      )
      assert.notInclude(log, "too late")
    })
  )

  it.effect("an ordinary request that ends with its session is answered", () =>
    Effect.gen(function* () {
      const { base, cookie, logout } = yield* signedIn
      const status = yield* Effect.promise(async () => {
        const answer = await fetch(`${base}/api/agentlog`, {
          method: "POST",
          headers: { cookie },
          body: JSON.stringify({ text: "in time" })
        })
        await answer.text()
        return answer.status
      })
      assert.strictEqual(status, 200)
      yield* logout(cookie)
    })
  )
})
