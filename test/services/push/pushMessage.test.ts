import { assert, describe, it } from "@effect/vitest"
import { MAX_PAYLOAD } from "../../../src/services/push/encryptPush.ts"
import { itemPayload, openedMessage, payloadBytes, topicOf } from "../../../src/services/push/pushMessage.ts"
import { waitingItem } from "../../support/pushServices.ts"

const told = { private: false, directAllow: false }

describe("what a device receives", () => {
  it.each([
    ["plain", "x".repeat(20_000)],
    ["of three bytes a character", "好".repeat(20_000)],
    ["of pairs", "😀".repeat(20_000)],
    ["that JSON has to escape", '"\u0001'.repeat(20_000)]
  ])("fits into a message with texts %s", (_, text) => {
    const payload = itemPayload(waitingItem({ title: text, detail: text }), told)
    assert.isAtMost(payloadBytes(payload).length, MAX_PAYLOAD)
    assert.isAbove(payload.body?.length ?? 0, 300)
    for (const cut of [payload.title, payload.body]) {
      assert.isTrue(cut?.endsWith("…"))
      assert.isTrue(cut?.isWellFormed())
    }
  })

  it("offers what the item offers, at most two actions", () => {
    const ids = (about: Parameters<typeof waitingItem>[0]) =>
      itemPayload(waitingItem(about), told).actions.map(({ id, opens }) => `${id}${opens === true ? " opens" : ""}`)
    const action = (id: string) => ({ id, label: id })
    assert.deepStrictEqual(ids({}), ["allow-once opens", "deny"])
    assert.deepStrictEqual(ids({ actions: ["allow-always", "deny"].map(action) }), ["deny"])
    assert.deepStrictEqual(ids({ kind: "question", actions: ["answer", "skip"].map(action) }), ["answer opens", "skip"])
    for (const kind of ["proposal", "review", "failed", "pairing"] as const)
      assert.deepStrictEqual(ids({ kind, actions: ["approve", "reject"].map(action) }), [])
  })

  it("marks what nobody sees, and keeps the spaces of sentences", () => {
    const { title, body } = itemPayload(
      waitingItem({ title: "mv a \u202egnp.b\u202c", detail: "ls\u200b\u00a0x\u001b[2K" }),
      told
    )
    assert.strictEqual(title, "mv a ⟦U+202E⟧gnp.b⟦U+202C⟧")
    assert.strictEqual(body, "ls⟦U+200B⟧⟦U+00A0⟧x⟦U+001B⟧[2K")
    const question = itemPayload(waitingItem({ kind: "question", title: "Vraiment\u00a0?", detail: "\u202eb" }), told)
    assert.deepStrictEqual([question.title, question.body], ["Vraiment\u00a0?", "⟦U+202E⟧b"])
  })

  it("has a topic of its own, and is kept no longer than it matters", () => {
    assert.match(topicOf("a"), /^[\w-]{32}$/)
    assert.notStrictEqual(topicOf("a"), topicOf("b"))
    const ttl = (expiresAt?: number) =>
      openedMessage(waitingItem(expiresAt === undefined ? {} : { expiresAt }), told, 1_000).ttl
    assert.deepStrictEqual([ttl(), ttl(31_500), ttl(500), ttl(1e15)], [604_800, 31, 1, 604_800])
  })

  it("never has the parts of a question, which may be secret", () => {
    const questions = [{ id: "q", text: "Which password?", multiple: false, freeText: true, secret: true }]
    const text = JSON.stringify(itemPayload(waitingItem({ kind: "question", questions }), told))
    assert.notInclude(text, "password")
  })
})
