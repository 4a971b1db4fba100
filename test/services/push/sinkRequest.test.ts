import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { readNotifyUrl } from "../../../src/services/platform/settings/settingAddresses.ts"
import { endedMessage, openedMessage } from "../../../src/services/push/pushMessage.ts"
import { sinkRequest } from "../../../src/services/push/sinkRequest.ts"
import { ended, opened, pushServices, waitingItem } from "../../support/pushServices.ts"

const secret = Redacted.make("hush")
const message = openedMessage(waitingItem(), { private: false, directAllow: false }, 0)
const bodyOf = (request: ReturnType<typeof sinkRequest>): unknown =>
  JSON.parse(Buffer.from(request?.body ?? []).toString())

describe("NOTIFY_URL", () => {
  it.each([
    ["https://example.org/hook?a=b", { type: "webhook", url: "https://example.org/hook?a=b" }],
    ["http://127.0.0.1:8080/hook", { type: "webhook", url: "http://127.0.0.1:8080/hook" }],
    ["ntfy://ntfy.sh/my-topic", { type: "ntfy", origin: "https://ntfy.sh", topic: "my-topic" }],
    ["ntfy+http://127.0.0.1:8080/topic", { type: "ntfy", origin: "http://127.0.0.1:8080", topic: "topic" }]
  ])("%s is understood", (text, sink) => {
    assert.deepStrictEqual<unknown>(readNotifyUrl(text), sink)
  })

  it.each(["ntfy://ntfy.sh", "ntfy://ntfy.sh/a/b", "ntfy:topic", "ftp://example.org", "example.org", "https://", ""])(
    "%s isn't",
    (text) => {
      assert.isUndefined(readNotifyUrl(text))
    }
  )

  it("gets a signed webhook for an item and for its end", () => {
    const sink = { type: "webhook", url: "https://example.org/hook" } as const
    const request = sinkRequest(sink, message, { secret, now: 5 })
    assert.deepStrictEqual(bodyOf(request), { event: "opened", sentAt: 5, ...message.payload })
    const signature = createHmac("sha256", "hush")
      .update(request?.body ?? "")
      .digest("hex")
    assert.strictEqual(request?.headers["x-agent-console-signature"], `sha256=${signature}`)
    const end = sinkRequest(sink, endedMessage(waitingItem()), { secret: undefined, now: 6 })
    assert.deepStrictEqual(bodyOf(end), { event: "ended", sentAt: 6, id: "item-1", kind: "approval", actions: [] })
    assert.notProperty(end?.headers, "x-agent-console-signature")
  })

  it("gets a message of ntfy for an item alone", () => {
    const sink = { type: "ntfy", origin: "https://ntfy.sh", topic: "t" } as const
    const request = sinkRequest(sink, message, { secret, now: 5 })
    assert.deepInclude(request, { url: "https://ntfy.sh", isTrusted: true })
    assert.strictEqual(request?.headers.authorization, "Bearer hush")
    const { body, title } = message.payload
    assert.deepStrictEqual(bodyOf(request), { topic: "t", title, message: body, priority: 4 })
    assert.isUndefined(sinkRequest(sink, endedMessage(waitingItem()), { secret, now: 5 }))
  })

  it.effect("gets the same items as the devices, privately unless the settings say otherwise", () =>
    Effect.gen(function* () {
      const url = "https://example.org/hook"
      for (const notifyPrivate of [true, false]) {
        const settings = { notifySink: { type: "webhook", url }, notifySecret: secret, notifyPrivate } as const
        const { sender, sent } = yield* pushServices({ settings })
        yield* sender.react(opened())
        yield* TestClock.adjust(0)
        yield* sender.react(ended())
        yield* TestClock.adjust(0)
        assert.deepStrictEqual(
          sent.map(({ payload }) => payload.event),
          ["opened", "ended"]
        )
        assert.strictEqual(sent[0]?.payload.title, notifyPrivate ? "Approval needed" : "rm -r old")
      }
    })
  )
})
