import { assert, describe, it } from "@effect/vitest"
import {
  escapeStops,
  type SendKeyEvent,
  sendsMessage,
  steersMessage,
  walksHistory
} from "../../src/chat/composerKeys.ts"

const press = (change: Partial<SendKeyEvent>): SendKeyEvent => ({
  key: "Enter",
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...change
})

describe("sendsMessage", () => {
  it("sends on Enter and breaks the line on Shift+Enter", () => {
    assert.isTrue(sendsMessage(press({}), "enter"))
    assert.isFalse(sendsMessage(press({ shiftKey: true }), "enter"))
    assert.isFalse(sendsMessage(press({ key: "a" }), "enter"))
  })

  it("wants Ctrl or Cmd where a person chose so", () => {
    assert.isFalse(sendsMessage(press({}), "mod-enter"))
    assert.isTrue(sendsMessage(press({ ctrlKey: true }), "mod-enter"))
    assert.isTrue(sendsMessage(press({ metaKey: true }), "mod-enter"))
  })
})

describe("steersMessage", () => {
  it("wants Ctrl or Cmd, and Shift as well where that already sends", () => {
    assert.isTrue(steersMessage(press({ ctrlKey: true }), "enter"))
    assert.isFalse(steersMessage(press({}), "enter"))
    assert.isFalse(steersMessage(press({ ctrlKey: true }), "mod-enter"))
    assert.isTrue(steersMessage(press({ metaKey: true, shiftKey: true }), "mod-enter"))
  })
})

describe("walksHistory", () => {
  it("takes the arrows alone", () => {
    assert.isTrue(walksHistory(press({ key: "ArrowUp" })))
    assert.isTrue(walksHistory(press({ key: "ArrowDown" })))
    assert.isFalse(walksHistory(press({ key: "ArrowUp", shiftKey: true })))
    assert.isFalse(walksHistory(press({ key: "Home" })))
  })
})

describe("escapeStops", () => {
  /** An element inside others, as far as a selector asks. */
  const inside = (id: string, ...names: ReadonlyArray<string>) => ({
    id,
    closest: (selector: string) => (names.some((name) => selector.split(", ").includes(name)) ? document : null)
  })
  const document = Object.create(null)

  it("stops the response from the composer and the conversation", () => {
    assert.isTrue(escapeStops(null))
    assert.isTrue(escapeStops(inside("composer", "textarea")))
    assert.isTrue(escapeStops(inside("log", "div")))
  })

  it("only leaves the session filter, other fields, dialogs and menus", () => {
    for (const name of ["input", "textarea", "select", "dialog", "[popover]"])
      assert.isFalse(escapeStops(inside("", name)), name)
  })
})
