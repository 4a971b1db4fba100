import { assert, describe, it } from "@effect/vitest"
import { keepUnsent } from "../../src/chat/keepUnsent.ts"
import { createObservable } from "../../src/core/common/Observable.ts"
import type { ChatItem, ChatState, Delivery, UserItem } from "../../src/core/conversation/chatTypes.ts"

const message = (text: string, delivery: Delivery): UserItem => ({
  kind: "user",
  key: text,
  at: null,
  text,
  images: [],
  delivery,
  error: null
})

const keep = (draft: string, items: ReadonlyArray<ChatItem>): string => {
  const state: ChatState = {
    sessionKey: "s",
    status: "ready",
    message: null,
    deleted: false,
    items,
    activity: "IDLE",
    running: false,
    aborting: false,
    linked: true,
    queued: 0,
    phase: null,
    hasOlder: false,
    loadingOlder: false
  }
  const drafts = new Map([["s", draft]])
  keepUnsent({ state: createObservable(state) }, "s", {
    get: (key) => drafts.get(key) ?? "",
    set: (key, text) => drafts.set(key, text)
  })
  return drafts.get("s") ?? ""
}

describe("keepUnsent", () => {
  it("adds failed messages behind the draft and leaves sent ones alone", () => {
    assert.strictEqual(keep("half", [message("sent", "sent"), message("lost", "failed")]), "half\n\nlost")
    assert.strictEqual(keep("", [message("lost", "failed"), message("too", "failed")]), "lost\n\ntoo")
    assert.strictEqual(keep("half", [message("sent", "sent")]), "half")
    assert.strictEqual(keep("", [message("asked", "sent"), message("waits there", "held")]), "")
    const kept: UserItem = {
      ...message("given back", "failed"),
      waits: { id: "m", mode: "next", notBefore: null, position: 0, state: "failed" }
    }
    assert.strictEqual(keep("half", [kept]), "half", "the console keeps it")
  })
})
