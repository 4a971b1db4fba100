import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { decodeHistory } from "../../../src/core/conversation/chatHistory.ts"
import { runErrorSentence } from "../../../src/core/conversation/runError.ts"
import { Talk } from "../support/Talk.ts"
import { assistant, user } from "../support/turnFrames.ts"

const MODEL = { provider: "mock", model: "mock-fast" }
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
  ])("goes by what kind of failure it was: %j", (kind, sentence) => {
    assert.match(runErrorSentence("something went wrong", { ...MODEL, ...kind }), sentence)
  })

  it("names the model, and the kind where the gateway has a name for it", () => {
    assert.strictEqual(runErrorSentence(null, { ...MODEL, providerRuntimeFailureKind: "unclassified" }), UNKNOWN)
    assert.strictEqual(
      runErrorSentence(null, { ...MODEL, failoverReason: "empty_response" }),
      "The agent couldn't finish its response: mock/mock-fast failed (empty response). See the gateway's log for details."
    )
  })

  it("never holds what a provider wrote", () => {
    const raw = "key sk-123 refused, see https://example.com/a b"
    const detail = { provider: raw, model: raw, failoverReason: raw, providerErrorMessagePreview: raw }
    assert.strictEqual(
      runErrorSentence(raw, detail),
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
    assert.strictEqual(stored?.item.kind === "error" ? stored.item.message : null, UNKNOWN)
  })

  it.prop("never holds the provider's words", [Schema.String], ([raw]) => {
    const sentence = runErrorSentence(`HTTP 400: <<${raw}>> sk-123 /home/me`)
    assert.notInclude(sentence, "sk-123")
    assert.notInclude(sentence, "/home/me")
    assert.match(sentence, /\.$/)
  })

  it("both generations' words for one failure give one sentence", () => {
    const old = runErrorSentence("HTTP 400: mock error 400")
    assert.strictEqual(
      runErrorSentence("LLM request failed: provider rejected the request schema or tool payload."),
      old
    )
    assert.strictEqual(runErrorSentence("⚠️ LLM request failed (request format rejected, HTTP 400)."), old)
    assert.match(runErrorSentence(null), /log for details/)
  })
})
