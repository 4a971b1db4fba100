import { assert, describe, it } from "@effect/vitest"
import {
  type DraftNote,
  draftMarks,
  draftStep,
  isUnsaved,
  markOf,
  noteOf,
  noteText
} from "../../../src/core/composer/draftRules.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"

const server = (text: string, at: number | null, deviceId = "phone.1") => ({ text, at, deviceId })
const still = (text: string, mark: ReturnType<typeof markOf> | null) => ({ text, mark, isTyping: false })

describe("which words count", () => {
  it("are those of here where nobody else wrote since", () => {
    assert.strictEqual(draftStep(still("typed on", markOf(5, "typed")), server("typed", 5)), "same")
    assert.strictEqual(draftStep(still("typed", null), server("", null)), "same")
    assert.strictEqual(draftStep(still("the same", markOf(5, "other")), server("the same", 9)), "same")
  })

  it("are the server's where it has others, be its time earlier or later, unless those of here aren't saved", () => {
    assert.strictEqual(draftStep(still("old", markOf(5, "old")), server("new", 6)), "take")
    assert.strictEqual(draftStep(still("old", markOf(5, "old")), server("", 6)), "take")
    assert.strictEqual(draftStep(still("old", markOf(5, "old")), server("from a backup", 4)), "take")
    assert.strictEqual(draftStep(still("unsaved", markOf(5, "old")), server("new", 6)), "keep")
    assert.strictEqual(draftStep(still("from before there was a server", null), server("new", 6)), "keep")
  })

  it("are those of here while somebody types, but an empty field never removes what was written elsewhere", () => {
    assert.strictEqual(draftStep({ ...still("old", markOf(5, "old")), isTyping: true }, server("new", 6)), "keep")
    assert.strictEqual(draftStep({ ...still("", markOf(5, "sent")), isTyping: true }, server("new", 6)), "take")
  })
})

describe("the line about another device's words", () => {
  const here = { text: "mine", deviceId: "desk.1", isOwn: true }
  const taken: DraftNote = { kind: "taken", from: "device", other: "mine" }

  it("leads back to the words of here, however often others follow", () => {
    assert.deepStrictEqual(noteOf("take", here, server("theirs", 6), null), taken)
    const followed = { ...here, text: "theirs", isOwn: false }
    assert.strictEqual(noteOf("take", followed, server("theirs, more", 7), taken), taken)
    assert.isNull(noteOf("take", followed, server("", 8), taken), "sent where it was written")
    assert.deepInclude(noteOf("take", here, server("", 6), null), { kind: "cleared", other: "mine" })
  })

  it("offers the words that lost against those of here, if there are any and they aren't of this browser", () => {
    assert.deepInclude(noteOf("keep", here, server("theirs", 6), null), { kind: "kept", other: "theirs" })
    assert.isNull(noteOf("keep", here, server("", 6), null))
    assert.isNull(noteOf("keep", here, server("of a tab", 6, "desk.2"), null))
  })

  it("says where they are from, and what its button does", () => {
    assert.deepStrictEqual(noteText(taken), { text: "Draft from another device", button: "Undo" })
    const tab = noteOf("take", here, server("of a tab", 6, "desk.2"), null)
    assert.deepStrictEqual(tab && noteText(tab), { text: "Draft from another tab", button: "Undo" })
    assert.strictEqual(noteText({ ...taken, kind: "cleared" }).text, "Sent or removed on another device")
    assert.strictEqual(noteText({ ...taken, kind: "kept" }).button, "Use that one")
  })
})

describe("what this browser knows of the server's drafts", () => {
  it("is kept across reloads, bounded, and can be forgotten; a storage that is full or damaged does no harm", () => {
    const storage = memoryStorage()
    const marks = draftMarks(storage)
    for (let session = 0; session < 201; session += 1) marks.set(`s${session}`, markOf(session, "x"))
    assert.isNull(draftMarks(storage).get("s0"))
    assert.deepStrictEqual(draftMarks(storage).get("s200"), markOf(200, "x"))
    marks.set("s200", null)
    assert.isNull(marks.get("s200"))
    storage.setItem("agent-console:draft-marks", '[["s1", "soon", 1], 7]')
    assert.isNull(marks.get("s1"))
    const full = {
      ...storage,
      setItem: () => {
        throw new Error("full")
      }
    }
    draftMarks(full).set("s1", markOf(1, "x"))
  })

  it("says what isn't saved", () => {
    assert.isFalse(isUnsaved("", null))
    assert.isTrue(isUnsaved("new", null))
    assert.isFalse(isUnsaved("x", markOf(1, "x")))
    assert.isTrue(isUnsaved("", markOf(1, "x")))
  })
})
