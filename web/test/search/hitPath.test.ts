import { assert, describe, it } from "@effect/vitest"
import { wantedMessage } from "../../src/chat/foundMessage.ts"
import { readSearch } from "../../src/core/search/SearchStore.ts"
import { hitPath } from "../../src/search/hitPath.ts"
import { asAnswer } from "../core/support/asAnswer.ts"

const pathOf = (fields: object): string | null => {
  const snippet = [
    { text: "the ", hit: false },
    { text: "Deploy", hit: true },
    { text: " of the ", hit: false },
    { text: "deploy", hit: true },
    { text: "a&b", hit: true }
  ]
  const [hit] = readSearch(
    asAnswer({ state: "ready", hits: [{ gatewayId: "primary", at: 5, snippet, ...fields }] })
  ).hits
  if (hit === undefined) throw new Error("there is no hit")
  return hitPath(hit)
}

describe("hitPath", () => {
  it("leads to the message, with what is to be marked there", () => {
    const path = pathOf({ kind: "message", sessionKey: "agent:main:main", messageId: "m/1" }) ?? ""
    const url = new URL(path, "http://x")
    assert.strictEqual(url.pathname, "/chat/agent:main:main")
    assert.deepStrictEqual(wantedMessage(url.search), { id: "m/1", at: 5, marks: ["deploy", "a&b"] })
  })

  it("leads to the card, the memory, the document and the log", () => {
    assert.strictEqual(pathOf({ kind: "task", taskId: "a b" }), "/board/a%20b")
    assert.strictEqual(pathOf({ kind: "memory", path: "MEMORY.md" }), "/knowledge/memory?find=deploy+a%26b")
    assert.strictEqual(pathOf({ kind: "memory", agent: "helper" }), "/knowledge/memory?find=deploy+a%26b&agent=helper")
    assert.strictEqual(pathOf({ kind: "document", path: "SOUL.md" }), "/knowledge/documents/soul")
    assert.strictEqual(
      pathOf({ kind: "document", path: "x/TOOLS.md", agent: "h" }),
      "/knowledge/documents/tools?agent=h"
    )
    assert.strictEqual(pathOf({ kind: "log" }), "/operations/log?find=deploy+a%26b")
  })

  it("leads nowhere without a conversation", () => {
    assert.isNull(pathOf({ kind: "message", messageId: "m" }))
  })
})
