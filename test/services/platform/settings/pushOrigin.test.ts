import { assert, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import { decodeSettings } from "../../../../src/services/platform/settings/decodeSettings.ts"
import { pushOrigin } from "../../../../src/services/platform/settings/settingAddresses.ts"

const base = { homeDir: "/home", installDir: "/install", webRoot: "/web" }
const decode = (variables: Readonly<Record<string, string>>) => decodeSettings(variables, base)

it.each([
  ["https://push.example.org", "https://push.example.org"],
  ["https://push.example.org:8443/", "https://push.example.org:8443"],
  ["http://127.0.0.1:9000", "http://127.0.0.1:9000"],
  ["http://[::1]:9000", "http://[::1]:9000"],
  ["http://localhost", "http://localhost"],
  ["http://push.example.org", undefined],
  ["http://10.0.0.1:9000", undefined],
  ["http://127.0.0.1.example.org", undefined],
  ["https://push.example.org/path", undefined],
  ["ftp://push.example.org", undefined],
  ["push.example.org", undefined],
  ["*", undefined]
])("a further push service: %s", (text, origin) => {
  assert.strictEqual(pushOrigin(text), origin)
})

it("settings for notifications are discreet at first, and wrong ones are named", () => {
  const first = Result.getOrThrow(decode({}))
  assert.deepStrictEqual(first.pushAllowedOrigins, [])
  assert.isUndefined(first.notifySink)
  assert.isTrue(first.notifyPrivate)
  const chosen = Result.getOrThrow(
    decode({
      PUSH_ALLOWED_ORIGINS: "https://a.example, http://localhost:1",
      PUSH_CONTACT: "mailto:me@example.org",
      NOTIFY_URL: "ntfy://ntfy.sh/topic",
      NOTIFY_SECRET: "hush",
      NOTIFY_PRIVATE: "false"
    })
  )
  assert.deepStrictEqual(chosen.pushAllowedOrigins, ["https://a.example", "http://localhost:1"])
  assert.deepStrictEqual(chosen.notifySink, { type: "ntfy", origin: "https://ntfy.sh", topic: "topic" })
  assert.strictEqual(chosen.pushContact, "mailto:me@example.org")
  assert.isFalse(chosen.notifyPrivate)
  assert.notInclude(String(chosen.notifySecret), "hush")
  assert.isTrue(chosen.notifySecret !== undefined && Redacted.value(chosen.notifySecret) === "hush")
  for (const [name, value] of [
    ["PUSH_ALLOWED_ORIGINS", "https://a.example, http://b.example"],
    ["PUSH_CONTACT", "me@example.org"],
    ["NOTIFY_URL", "ntfy://ntfy.sh"],
    ["NOTIFY_PRIVATE", "perhaps"]
  ] as const) {
    const wrong = decode({ [name]: value })
    assert.isTrue(Result.isFailure(wrong) && wrong.failure.message.startsWith(`${name} must be`), name)
  }
})
