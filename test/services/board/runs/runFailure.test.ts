import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { runFailure } from "../../../../src/services/board/runs/runFailure.ts"

const of = (failoverReason: string | undefined, providerRuntimeFailureKind: string) => ({
  provider: "mock",
  model: "mock-fast",
  ...(failoverReason === undefined ? {} : { failoverReason }),
  providerRuntimeFailureKind
})

/** What real gateways say of failed runs, recorded from both generations, and what people get. */
const RECORDED = [
  ["HTTP 400: mock error 400", undefined, /^the model's provider rejected the request for this model: choose/],
  ["HTTP 401: mock error 401", undefined, /^the model's provider rejected the gateway's credentials: check/],
  ["⚠️ API rate limit reached. Please try again later.", undefined, /^the model's provider is rate limiting requests/],
  ["HTTP 404: mock error 404", undefined, /^the gateway couldn't use this model/],
  ["HTTP 413: mock error 413", undefined, /^the task is too long for this model/],
  ["HTTP 529: mock error 529", undefined, /^the model's provider can't be reached or is overloaded/],
  [
    "LLM request failed: provider rejected the request schema or tool payload.",
    of("format", "schema"),
    /^the provider mock rejected the request for the model mock-fast: choose another model/
  ],
  [
    "LLM request failed: provider rejected the request schema or tool payload.",
    undefined,
    /^the model's provider rejected the request/
  ],
  [
    "⚠️ mock/mock-fast request failed (authentication failed, HTTP 401). Re-authenticate the provider and try again.",
    of("auth", "unclassified"),
    /^the provider mock rejected the gateway's credentials/
  ],
  [
    "The selected model was not found by the provider. Check the model id or choose a different model.",
    of("model_not_found", "model_not_found"),
    /^the gateway couldn't use the model mock-fast/
  ],
  [
    "⚠️ mock/mock-fast request failed (request timed out, HTTP 408). This is usually temporary — try again shortly.",
    of("timeout", "timeout"),
    /^the model mock-fast didn't respond in time/
  ],
  [
    "⚠️ mock/mock-fast request failed (provider internal error, HTTP 500). This is usually temporary.",
    of("server_error", "timeout"),
    /^the provider mock can't be reached or is overloaded/
  ],
  [
    "The AI service is temporarily overloaded. Please try again in a moment.",
    of("overloaded", "timeout"),
    /^the provider mock can't be reached or is overloaded/
  ],
  [
    "⚠️ mock (mock-fast) returned a billing error — your API key has run out of credits or has an insufficient balance.",
    of("billing", "unclassified"),
    /^the provider mock rejected the request because of billing or quota/
  ],
  [
    'Inline API key for provider "mock" is temporarily disabled after a provider auth/billing failure.',
    undefined,
    /^the gateway is pausing requests to the model's provider/
  ],
  [
    "Error: prepared model runtime plugin generation was superseded for /home/me/.openclaw/agents/main/agent",
    undefined,
    /^the gateway was reloading its settings: run the task again$/
  ],
  ["⚠️ mock/mock-fast request failed (HTTP 413).", of(undefined, "unclassified"), /^the task is too long for the model/],
  [
    "something new",
    of(undefined, "unclassified"),
    /^the agent's run failed at mock\/mock-fast: run the task again, or choose another model$/
  ],
  ["something new", undefined, /^the agent's run failed: open its session .* and check the gateway's log/],
  [undefined, { failoverReason: "__proto__", providerRuntimeFailureKind: "constructor" }, /^the agent's run failed/],
  [undefined, { httpStatus: 503, provider: null, model: 5 }, /^the model's provider can't be reached/],
  [undefined, of("empty_response", "unclassified"), /^the model mock-fast gave no answer/],
  [undefined, { provider: "openclaw", model: "gateway-injected" }, /^the agent's run failed: open its session/],
  [undefined, "nonsense", /^the agent's run failed/],
  [undefined, null, /^the agent's run failed/],
  [undefined, 7, /^the agent's run failed/]
] as const

describe("runFailure", () => {
  it.each(RECORDED)("%s with %j", (text, detail, expected) => assert.match(runFailure(text, detail).message, expected))

  it("names no file, and nothing that is no name", () => {
    for (const name of ["/home/me/model.gguf", "../model", "a b", "x".repeat(200), "a/../../b/c/d", "<b>", ""]) {
      const said = runFailure(undefined, { provider: name, model: name, failoverReason: "model_not_found" })
      assert.deepStrictEqual(said, runFailure(undefined, { failoverReason: "model_not_found" }), name)
    }
    assert.include(
      runFailure(undefined, { model: "meta/llama-3.3:free", failoverReason: "timeout" }).message,
      "llama-3.3:free"
    )
  })

  it.prop("repeats nothing of the gateway's text", [Schema.String], ([text]) => {
    assert.notInclude(runFailure(`${text} SECRET 401`).message, "SECRET")
  })
})
