import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { hashPassword } from "../../../../src/services/access/auth/passwordHash.ts"
import { freePort } from "../../../support/freePort.ts"
import { ownTime, within } from "../../../support/ownTime.ts"
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
    Effect.retry({ schedule: Schedule.spaced("50 millis") })
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
      const login = (from: string, password: string) =>
        Effect.promise(() =>
          fetch(`${url}/api/auth/login`, {
            method: "POST",
            headers: { "content-type": "application/json", "x-forwarded-for": from },
            body: JSON.stringify({ password })
          }).then((response) => response.text().then(() => response))
        )
      const signedIn = yield* login("198.51.100.1", PASSWORD)
      const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? ""
      const before = memoryOf(pid)
      let peak = before
      const reads: Array<number> = []
      const now = yield* ownTime
      const read = Effect.promise(async () => {
        const start = now()
        await fetch(`${url}/api/files/read?path=MEMORY.md`, { headers: { cookie } }).then((response) => response.text())
        reads.push(now() - start)
        peak = Math.max(peak, memoryOf(pid))
      })
      const signIn = login("203.0.113.9", PASSWORD).pipe(
        Effect.flatMap((response) =>
          response.status === 200
            ? Effect.succeed(response)
            : Effect.andThen(Effect.sleep(Number(response.headers.get("retry-after")) * 1000), Effect.fail("later"))
        ),
        Effect.retry({ while: (error) => error === "later" }),
        within(LIMIT_MS)
      )
      const flood = Effect.forEach(
        Array.from({ length: 240 }, (_, index) => index),
        (index) => login(spelled(index), `wrong ${index}`),
        { concurrency: "unbounded" }
      )
      const reading = yield* Effect.forkChild(Effect.forever(read))
      const [answers, owner] = yield* Effect.all([flood, signIn], { concurrency: "unbounded" })
      yield* Fiber.interrupt(reading)
      assert.strictEqual(owner.status, 200)
      const tried = answers.filter(({ status }) => status === 401)
      const refused = answers.filter(({ status }) => status === 429)
      assert.strictEqual(tried.length + refused.length, answers.length)
      assert.isAtMost(tried.length, 10)
      for (const { headers } of refused) assert.isAbove(Number(headers.get("retry-after")), 0)
      assert.isBelow(Math.max(...reads), 3000)
      assert.isBelow(peak - before, 160)
    }),
  300_000
)
