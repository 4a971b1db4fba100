import { assert, describe, it } from "@effect/vitest"
import { lastOwnText, recallsMessage, type SendKeyEvent, sendsMessage } from "../../src/chat/composerKeys.ts"

const press = (change: Partial<SendKeyEvent>): SendKeyEvent => ({
  key: "Enter",
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  keyCode: 13,
  ...change
})

describe("sendsMessage", () => {
  it("sends on Enter and breaks the line on Shift+Enter", () => {
    assert.isTrue(sendsMessage(press({}), "enter"))
    assert.isFalse(sendsMessage(press({ shiftKey: true }), "enter"))
    assert.isFalse(sendsMessage(press({ key: "a" }), "enter"))
  })

  it("never sends with the Enter that ends a composition", () => {
    assert.isFalse(sendsMessage(press({ isComposing: true }), "enter"))
    assert.isFalse(sendsMessage(press({ keyCode: 229 }), "enter"))
  })

  it("wants Ctrl or Cmd where a person chose so", () => {
    assert.isFalse(sendsMessage(press({}), "mod-enter"))
    assert.isTrue(sendsMessage(press({ ctrlKey: true }), "mod-enter"))
    assert.isTrue(sendsMessage(press({ metaKey: true }), "mod-enter"))
  })
})

describe("recallsMessage", () => {
  it("takes the up key alone, and only where nothing is written", () => {
    assert.isTrue(recallsMessage(press({ key: "ArrowUp" }), ""))
    assert.isFalse(recallsMessage(press({ key: "ArrowUp" }), "a"))
    assert.isFalse(recallsMessage(press({ key: "ArrowUp", shiftKey: true }), ""))
    assert.isFalse(recallsMessage(press({ key: "ArrowUp", isComposing: true }), ""))
    assert.isFalse(recallsMessage(press({ key: "ArrowDown" }), ""))
  })

  it("brings the newest own text", () => {
    const own = (text: string) =>
      ({ kind: "user", key: text, at: 1, text, images: [], delivery: "sent", error: null }) as const
    assert.strictEqual(lastOwnText([own("a"), own("b"), own(""), { kind: "aborted", key: "x", at: 2 }]), "b")
    assert.isNull(lastOwnText([]))
  })
})
