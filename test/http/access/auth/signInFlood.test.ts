import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { hashPassword } from "../../../../src/services/access/auth/passwordHash.ts"
import { freePort } from "../../../support/freePort.ts"
import { startConsole, temporaryDirectory } from "../../../support/runConsole.ts"

const PASSWORD = "open sesame"
const LIMIT_MS = 15_000

/** A console of its own behind a trusted proxy on this machine. */
const behindProxy = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const port = yield* Effect.promise(freePort)
  const { child } = yield* startConsole({
    directory,
    variables: {
      PORT: String(port),
      SSL_PORT: "0",
      GATEWAY_TOKEN: "gw",
      GATEWAY_URL: "http://127.0.0.1:9",
      SVC_AUTH: "true",
      SVC_PASSWORD_HASH: yield* hashPassword(PASSWORD),
      TRUSTED_PROXIES: "127.0.0.1"
    }
  })
  const url = `http://127.0.0.1:${port}`
  yield* Effect.tryPromise(() => fetch(`${url}/api/version`)).pipe(
    Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 600 })
  )
  return { url, pid: child.pid ?? 0 }
})

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

/** Every address is another one of the same /64, and spelled in another way. */
const spelled = (index: number): string => {
  const last = (index + 1).toString(16)
  const forms = [
    `2001:db8:1:2::${last}`,
    `[2001:DB8:1:2::${last}]:${1024 + index}`,
    `2001:0db8:0001:0002:0000:0000:0000:${last.padStart(4, "0")}`,
    `2001:db8:1:2::${last}%eth${index}`
  ]
  return forms[index % forms.length] ?? ""
}

it.live.skipIf(process.platform !== "linux")(
  "240 wrong passwords from one /64 hold up neither others nor the owner (Linux: reads /proc)",
  () =>
    Effect.gen(function* () {
      const { url, pid } = yield* behindProxy
      const login = async (from: string, password: string) => {
        const response = await fetch(`${url}/api/auth/login`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-forwarded-for": from },
          body: JSON.stringify({ password })
        })
        await response.text()
        return response
      }
      const signedIn = yield* Effect.promise(() => login("198.51.100.1", PASSWORD))
      const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? ""
      const before = memoryOf(pid)

      let isOver = false
      const flood = Promise.all(
        Array.from({ length: 240 }, (_, index) => login(spelled(index), `wrong ${index}`))
      ).finally(() => {
        isOver = true
      })
      const reads: Array<number> = []
      let peak = before
      const readMeanwhile = async () => {
        while (!isOver) {
          const started = performance.now()
          const response = await fetch(`${url}/api/files/read?path=MEMORY.md`, { headers: { cookie } })
          await response.text()
          reads.push(performance.now() - started)
          peak = Math.max(peak, memoryOf(pid))
        }
      }
      const signIn = async () => {
        const started = performance.now()
        for (;;) {
          const { status, headers } = await login("203.0.113.9", PASSWORD)
          const took = performance.now() - started
          if (status === 200 || took > LIMIT_MS) return { status, took }
          await new Promise((resolve) => setTimeout(resolve, Number(headers.get("retry-after")) * 1000))
        }
      }
      const [answers, owner] = yield* Effect.promise(() => Promise.all([flood, signIn(), readMeanwhile()]))
      assert.strictEqual(owner.status, 200)
      assert.isBelow(owner.took, LIMIT_MS)
      const tried = answers.filter(({ status }) => status === 401)
      const refused = answers.filter(({ status }) => status === 429)
      assert.strictEqual(tried.length + refused.length, answers.length)
      assert.isAtMost(tried.length, 10)
      for (const { headers } of refused) assert.isAbove(Number(headers.get("retry-after")), 0)
      assert.isBelow(Math.max(...reads), 3000)
      assert.isBelow(peak - before, 160)
    }),
  60_000
)
