import { assert, describe, it } from "@effect/vitest"
import { ofField } from "../../src/contract/failure.ts"
import { BOARD_FAILURES } from "../../src/contract/failures/board.ts"
import { BUDGET_FAILURES } from "../../src/contract/failures/budgets.ts"
import { CALL_FAILURES } from "../../src/contract/failures/calls.ts"
import { CONNECTION_FAILURES } from "../../src/contract/failures/connection.ts"
import { CONVERSATION_FAILURES } from "../../src/contract/failures/conversation.ts"
import { FIELD_FAILURES } from "../../src/contract/failures/fields.ts"
import { KNOWLEDGE_FAILURES } from "../../src/contract/failures/knowledge.ts"
import { LIVE_FAILURES } from "../../src/contract/failures/live.ts"
import { MACHINE_FAILURES } from "../../src/contract/failures/machine.ts"
import { MESSAGE_ACTION_FAILURES } from "../../src/contract/failures/messageActions.ts"
import { MESSAGE_FAILURES } from "../../src/contract/failures/messages.ts"
import { VOICE_FAILURES } from "../../src/contract/failures/voice.ts"
import { FAILURE_WORDS } from "../../src/contract/failures/words.ts"
import { englishSentence, FAILURES, failure } from "../../src/contract/failures.ts"

describe("a failure", () => {
  it("is a sentence and a code with values", () => {
    assert.deepStrictEqual(failure("TOO_MANY_GATEWAYS", { max: 20 }), {
      message: "there are 20 gateways already: remove one of them first",
      why: { code: "TOO_MANY_GATEWAYS", values: { max: 20 } }
    })
    assert.deepStrictEqual(failure("DISK_FULL"), { message: "the disk is full", why: { code: "DISK_FULL" } })
  })

  it("says what was given only where something was", () => {
    assert.strictEqual(failure("LABEL_IN_USE", { given: undefined }).message, failure("LABEL_IN_USE").message)
    assert.strictEqual(
      failure("LABEL_IN_USE", { given: '"Notes"' }).message,
      'The name "Notes" is taken by another session: choose another one.'
    )
  })

  it("names a provider or model where it's known", () => {
    assert.strictEqual(
      failure("RUN_REQUEST_REJECTED", { provider: "acme" }).message,
      "the provider acme rejected the request for this model: choose another model for this task"
    )
  })

  it("has words and lists among its values", () => {
    assert.strictEqual(
      failure("NOTHING_LISTENING", { address: "ws://a", advice: "CORRECT_ADDRESS" }).message,
      "No gateway is listening at ws://a: start it, or correct its address in the console's settings."
    )
    assert.strictEqual(
      failure("SETTING_UNKNOWN", { name: "X", place: "ENV_LINE", line: 3 }).message,
      "X (.env, line 3) isn't a setting of the console."
    )
    assert.strictEqual(
      failure("THINKING_LEVEL_CHOOSE", { levels: "off, low, medium" }).message,
      "The model doesn't support the thinking level: choose off, low or medium."
    )
  })

  it("begins with the field that it's about", () => {
    const about = ofField("schedule.tz", failure("UNKNOWN_TIME_ZONE"))
    assert.deepStrictEqual(about.why, { code: "UNKNOWN_TIME_ZONE", values: { field: "schedule.tz" } })
    assert.strictEqual(englishSentence({ code: "", ...about.why }), about.message)
    assert.deepStrictEqual(ofField("a", { message: "b" }), { message: "a: b" })
  })

  it("has a code that no other area has, and no value's words are a code", () => {
    const areas = [
      ...[BOARD_FAILURES, BUDGET_FAILURES, CALL_FAILURES, CONNECTION_FAILURES],
      ...[CONVERSATION_FAILURES, FIELD_FAILURES, MESSAGE_ACTION_FAILURES],
      ...[KNOWLEDGE_FAILURES, LIVE_FAILURES, MACHINE_FAILURES, MESSAGE_FAILURES, VOICE_FAILURES]
    ].flatMap((area) => Object.keys(area))
    assert.strictEqual(new Set(areas).size, areas.length)
    assert.deepStrictEqual(Object.keys(FAILURES).sort(), areas.sort())
    for (const code of areas) assert.match(code, /^[A-Z]+(_[A-Z0-9]+)*$/)
    for (const word of Object.keys(FAILURE_WORDS)) assert.notProperty(FAILURES, word)
    assert.isUndefined(englishSentence({ code: "constructor" }))
  })
})
