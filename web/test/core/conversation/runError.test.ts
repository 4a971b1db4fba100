import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { decodeHistory } from "../../../../src/services/conversations/history/chatHistory.ts"
import { runErrorOf } from "../../../../src/services/conversations/history/runError.ts"
import { Talk } from "../support/Talk.ts"
import { assistant, user } from "../support/turnFrames.ts"

const MODEL = { provider: "mock", model: "mock-fast" }
const sentence = (...about: Parameters<typeof runErrorOf>): string => runErrorOf(...about).message

const UNKNOWN = "The agent couldn't finish its response: mock/mock-fast failed. See the gateway's log for details."

describe("the sentence of a failed run", () => {
  it.each([
    [{ failoverReason: "rate_limit" }, /limiting requests/],
    [{ failoverReason: "billing" }, /out of credit/],
    [{ failoverReason: "auth_permanent" }, /refused the gateway's key/],
    [{ failoverReason: "context_overflow" }, /too long for this model/],
    [{ failoverReason: "model_not_found" }, /doesn't know this session's model/],
    [{ failoverReason: "server_error" }, /is having problems/],
    [{ failoverReason: "timeout" }, /didn't respond in time/],
    [{ providerRuntimeFailureKind: "tls_certificate" }, /can't reach/],
    [{ providerRuntimeFailureKind: "schema" }, /rejected the request/]
  ])("goes by what kind of failure it was: %j", (kind, words) => {
    assert.match(sentence("something went wrong", { ...MODEL, ...kind }), words)
  })

  it("names the model, and the kind where the gateway has a name for it", () => {
    assert.strictEqual(sentence(null, { ...MODEL, providerRuntimeFailureKind: "unclassified" }), UNKNOWN)
    assert.strictEqual(
      sentence(null, { ...MODEL, failoverReason: "empty_response" }),
      "The agent couldn't finish its response: mock/mock-fast failed (empty response). See the gateway's log for details."
    )
  })

  it("never holds what a provider wrote", () => {
    const raw = "key sk-123 refused, see https://example.com/a b"
    const detail = { provider: raw, model: raw, failoverReason: raw, providerErrorMessagePreview: raw }
    assert.strictEqual(
      sentence(raw, detail),
      "The agent couldn't finish its response. See the gateway's log for details."
    )
  })

  it("is the same live, once stored and after a reload", () => {
    const talk = new Talk(4)
    talk.history([], false)
    const id = talk.say("go")
    const errorDetail = { ...MODEL, providerRuntimeFailureKind: "unclassified" }
    talk.turn(id).chat("error", { errorMessage: "⚠️ mock/mock-fast request failed (HTTP 418).", errorDetail })
    assert.strictEqual(talk.shown[1], `error: ${UNKNOWN}`)
    const failed = { stopReason: "error", errorMessage: "⚠️ LLM request failed (HTTP 418)." }
    const messages = [user("go", 10_000, id), assistant([], 10_100, id, failed)]
    talk.history(messages, false)
    assert.deepStrictEqual(talk.shown, ["user: go", `error: ${UNKNOWN}`])
    const [, stored] = decodeHistory({ messages }).entries
    assert.strictEqual(stored?.item.kind === "error" ? stored.item.failure.message : null, UNKNOWN)
  })

  it.prop("never holds the provider's words", [Schema.String], ([raw]) => {
    const words = sentence(`HTTP 400: <<${raw}>> sk-123 /home/me`)
    assert.notInclude(words, "sk-123")
    assert.notInclude(words, "/home/me")
    assert.match(words, /\.$/)
  })

  it("both generations' words for one failure give one sentence", () => {
    const old = sentence("HTTP 400: mock error 400")
    assert.strictEqual(sentence("LLM request failed: provider rejected the request schema or tool payload."), old)
    assert.strictEqual(sentence("⚠️ LLM request failed (request format rejected, HTTP 400)."), old)
    assert.match(sentence(null), /log for details/)
  })
})
