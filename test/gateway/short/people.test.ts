import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, inject, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { InboxItem } from "../../../src/contract/schema/inbox.ts"
import { describeOn } from "../support/describeOn.ts"
import { patiently, saidIn, throughConsole } from "../support/throughConsole.ts"

const Inbox = Schema.Struct({ items: Schema.Array(InboxItem) })

/** The one item of a kind that waits for somebody. */
const waiting = (
  read: (path: string, shape: typeof Inbox) => Effect.Effect<typeof Inbox.Type, unknown>,
  kind: string
) =>
  patiently(read(`/api/inbox?state=open&kind=${kind}`, Inbox), ({ items }) => items.length > 0).pipe(
    Effect.map(({ items }) => items[0]),
    Effect.flatMap(Effect.fromNullishOr)
  )

const runCommand = (name: string) => `[[mock:tool=exec ${JSON.stringify({ command: `touch ${name}` })}]]`
const askColour = `[[mock:tool=ask_user ${JSON.stringify({
  questions: [{ id: "colour", header: "Colour", question: "Which?", options: [{ label: "Red" }, { label: "Blue" }] }],
  timeoutSeconds: 120
})}]]`

for (const gateway of inject("gateways")) {
  const isOld = gateway.version.startsWith("2026.3")

  describeOn(gateway)(`people who decide through the console with gateway ${gateway.version}`, () => {
    it.live("approval: a command runs once it's allowed, and doesn't where it's denied", () =>
      Effect.gen(function* () {
        const { page, read, say, send } = yield* throughConsole(gateway)
        const { file: before } = yield* page.call("exec.approvals.get")
        const setDefaults = Effect.fnUntraced(function* (defaults: unknown) {
          const { file, hash } = yield* page.call("exec.approvals.get")
          yield* page.call("exec.approvals.set", { baseHash: hash, file: { ...Object(file), version: 1, defaults } })
        })
        yield* Effect.acquireRelease(setDefaults({ security: "allowlist", ask: "always" }), () =>
          setDefaults(Object(before).defaults ?? {})
        )
        const fileOf = (name: string) => join(gateway.gatewayHome, "workspace", name)
        const decide = Effect.fnUntraced(function* (name: string, action: string) {
          const { ended } = yield* say(runCommand(name))
          const item = yield* waiting(read, "approval")
          assert.strictEqual(item.title, `touch ${name}`)
          assert.isFalse(existsSync(fileOf(name)))
          yield* send("POST", `/api/inbox/${item.id}/resolve`, { action })
          assert.strictEqual((yield* ended).payload?.state, "final")
        })
        yield* decide("denied.txt", "deny")
        yield* decide("allowed.txt", "allow-once")
        // An older gateway runs it beside the turn.
        yield* Effect.sync(() => existsSync(fileOf("allowed.txt"))).pipe(
          Effect.repeat({ schedule: Schedule.spaced("100 millis"), until: (isThere) => isThere }),
          Effect.timeout("30 seconds")
        )
        assert.isFalse(existsSync(fileOf("denied.txt")))
      }).pipe(Effect.scoped)
    )
  })

  const lacks = isOld ? "this generation asks no questions" : undefined
  describeOn(gateway, lacks)(`people who are asked through the console by gateway ${gateway.version}`, () => {
    it.live("question: the agent goes on with the answer", () =>
      Effect.gen(function* () {
        const { read, say, send } = yield* throughConsole(gateway)
        const { ended } = yield* say(askColour)
        const item = yield* waiting(read, "question")
        assert.strictEqual(item.title, "Which?")
        const answers = { [item.questions?.[0]?.id ?? ""]: { options: ["2"] } }
        yield* send("POST", `/api/inbox/${item.id}/resolve`, { action: "answer", answers })
        const end = yield* ended
        assert.strictEqual(end.payload?.state, "final")
        assert.match(saidIn(end), /tool said: [\s\S]*Blue/)
      }).pipe(Effect.scoped)
    )
  })
}
