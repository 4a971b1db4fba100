import { assert, describe, it } from "@effect/vitest"
import { createNotices } from "../../src/base/Notices.ts"
import { type ActionResult, createObservable } from "../../src/core/common/Observable.ts"
import type { MarkChange } from "../../src/core/sessions/MarksStore.ts"
import type { SessionsState } from "../../src/core/sessions/sessionTypes.ts"
import { endGroup, groupNames, renameGroup } from "../../src/sessions/groupActions.ts"
import { sessionRow } from "../support/sessionRow.ts"

/** Sessions with their groups; older ones and those put away are only there once they were asked for. */
const listOf = (
  groups: Readonly<Record<string, string | null>>,
  { archived = {}, older = {} }: Readonly<Record<string, Readonly<Record<string, string>>>> = {}
) => {
  const rowsOf = (some: Readonly<Record<string, string | null>>) =>
    Object.entries(some).map(([key, group]) => sessionRow({ key, group }))
  const state = createObservable<SessionsState>({
    status: "ready",
    message: null,
    tree: [],
    rows: rowsOf(groups),
    archived: [],
    unreadCount: 0,
    hasMore: Object.keys(older).length > 0
  })
  const marked: Array<readonly [string, MarkChange]> = []
  const refused = new Set<string>()
  const notices = createNotices()
  const wantsArchived = createObservable(false)
  const sessions = {
    state,
    wantsArchived,
    setWantsArchived: wantsArchived.set,
    refresh: async () => {
      if (wantsArchived.get()) state.set({ ...state.get(), archived: rowsOf(archived) })
    },
    readMore: async () => state.set({ ...state.get(), rows: rowsOf({ ...groups, ...older }), hasMore: false }),
    mark: async (key: string, change: MarkChange): Promise<ActionResult> => {
      marked.push([key, change])
      return refused.has(key) ? { ok: false, message: `not ${key}` } : { ok: true, value: true }
    }
  }
  return { app: { client: { sessions }, notices }, marked, notices, refused }
}

describe("groups as a whole", () => {
  it("are named once each, in order", () => {
    const { app } = listOf({ a: "Work", b: null, c: "Garden", d: "Work" })
    assert.deepStrictEqual(groupNames(app), ["Garden", "Work"])
  })

  it("are renamed for each of their sessions, those put away and those that weren't read yet too", async () => {
    const { app, marked, notices } = listOf(
      { a: "Work", b: null, c: "Garden" },
      { archived: { e: "Work" }, older: { d: "Work" } }
    )
    await renameGroup(app, "Work", "Office")
    assert.deepStrictEqual(marked, [
      ["a", { group: "Office" }],
      ["d", { group: "Office" }],
      ["e", { group: "Office" }]
    ])
    assert.deepStrictEqual(notices.shown.get(), [])
    assert.isFalse(app.client.sessions.wantsArchived.get())
  })

  it("say once what went wrong, after trying all", async () => {
    const { app, marked, notices, refused } = listOf({ a: "Work", b: "Work", c: "Work" })
    refused.add("a").add("b")
    await renameGroup(app, "Work", "Office")
    assert.lengthOf(marked, 3)
    assert.deepStrictEqual(
      notices.shown.get().map(({ text }) => text),
      ["not a"]
    )
  })

  it("end without their sessions, which undoing puts back", async () => {
    const { app, marked, notices } = listOf({ a: "Work", b: "Garden" })
    await endGroup(app, "Work")
    assert.deepStrictEqual(marked, [["a", { group: null }]])
    notices.act(notices.shown.get()[0]?.id ?? 0)
    assert.deepStrictEqual(marked.at(-1), ["a", { group: "Work" }])
  })
})
