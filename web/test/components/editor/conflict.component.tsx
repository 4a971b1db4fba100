import { component$, useConstant } from "@builder.io/qwik"
import { assert, describe, it } from "@effect/vitest"
import { useReadable } from "../../../src/base/useReadable.ts"
import { createTextDocument, type TextDocument } from "../../../src/core/knowledge/TextDocument.ts"
import { createTextDrafts } from "../../../src/core/knowledge/TextDrafts.ts"
import type { ApiFailureKind, ApiResult } from "../../../src/core/link/apiTypes.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"
import { ConflictDialog } from "../../../src/editor/ConflictDialog.tsx"
import { type OpenedPage, openPage, until } from "../support/openPage.tsx"

const refused = <A,>(kind: ApiFailureKind): ApiResult<A> => ({
  ok: false,
  error: { kind, status: 0, message: "", retryAfterMs: null, body: null }
})

/** A stored text that an agent changes while a person writes, and the dialog in which they meet. */
const meeting = async (base: string, mine: string, theirs: string) => {
  const disk: { text: string | null; version: number } = { text: base, version: 1 }
  const document: TextDocument = createTextDocument(
    {
      key: "file:SOUL.md",
      read: async () =>
        disk.text === null
          ? refused("not_found")
          : { ok: true, value: { text: disk.text, version: String(disk.version) } },
      write: async (text, version) => {
        if (version !== (disk.text === null ? null : String(disk.version))) return refused("conflict")
        disk.text = text
        disk.version += 1
        return { ok: true, value: String(disk.version) }
      }
    },
    createTextDrafts(memoryStorage()),
    () => Date.now()
  )
  const agentWrites = async (text: string | null) => {
    disk.text = text
    disk.version += 1
    await document.load()
  }
  await document.load()
  document.edit(() => mine)
  document.keep()
  await agentWrites(theirs)
  document.ask()
  const Part = component$(() => {
    const state = useReadable(useConstant(() => document.state))
    return (
      <main>
        {state.value.asking && (
          <ConflictDialog document={document} name="SOUL.md" onClose$={() => document.stopAsking()} />
        )}
      </main>
    )
  })
  const page = await openPage({ part: Part })
  await page.find("dialog")
  return { page, disk, document, agentWrites }
}

const isOff = (page: OpenedPage, words: string): boolean =>
  page.all("dialog button", words).every((button) => button.hasAttribute("disabled"))
const choose = async (page: OpenedPage, number: number, kind: string): Promise<void> => {
  const piece = page.all(".merge-conflict")[number - 1]
  const radio = piece?.querySelector(`input[value=${kind}]`)
  if (radio === null || radio === undefined) return assert.fail(`piece ${number} has no ${kind}`)
  await page.fire(radio, "change")
}
const losses = (page: OpenedPage) => page.all(".merge-conflict .merge-loss").map((one) => one.textContent)

describe("when someone else saved the text that is being written", () => {
  it("what both changed in different places is put together and saved", async () => {
    const { page, disk } = await meeting("a\n\nb\n\nc\n", "a, mine\n\nb\n\nc\n", "a\n\nb\n\nc\n\nd\n")
    await page.find(".merge-note", "All changes are put together here")
    assert.lengthOf(page.all(".merge-conflict"), 0)
    assert.deepStrictEqual(
      page.all(".merge-merged").map((piece) => piece.getAttribute("aria-label")),
      ["Your change", "Saved change"]
    )
    assert.strictEqual(page.screen.ownerDocument.activeElement?.textContent, "Save merged text")
    await page.press("dialog button", "Save merged text")
    await page.gone("dialog")
    assert.strictEqual(disk.text, "a, mine\n\nb\n\nc\n\nd\n")
  })

  it("nothing can be saved before each piece that both changed is decided, and what is left out is said", async () => {
    const { page, disk } = await meeting(
      "one\nb\ntwo\nb\nend",
      "one, mine\nb\nb\nend",
      "one, saved\nb\ntwo, saved\nb\nend"
    )
    assert.lengthOf(page.all(".merge-conflict"), 2)
    assert.isTrue(isOff(page, "Save merged text"))
    await page.find("[role=status]", "2 places are undecided.")
    assert.deepStrictEqual(losses(page), ["Not decided yet.", "Not decided yet."])
    await choose(page, 1, "both")
    await page.find("[role=status]", "1 place is undecided.")
    assert.isTrue(isOff(page, "Save merged text"))
    await choose(page, 2, "mine")
    await until(() => !isOff(page, "Save merged text"))
    assert.deepStrictEqual(losses(page), [
      "Nothing is left out: the saved text comes first, then yours.",
      "1 line of the saved text is left out."
    ])
    await choose(page, 2, "theirs")
    await page.find(".merge-loss", "The lines that you removed come back.")
    await page.press("dialog button", "Save merged text")
    await page.gone("dialog")
    assert.strictEqual(disk.text, "one, saved\none, mine\nb\ntwo, saved\nb\nend")
  })

  it("a piece can be written anew, beginning with both", async () => {
    const { page, disk } = await meeting("a\nb", "a\nmine", "a\nsaved")
    await choose(page, 1, "written")
    const field = await page.find(".merge-words")
    assert.strictEqual(Reflect.get(field, "value") ?? field.getAttribute("value"), "saved\nmine")
    await page.write(".merge-words", "saved and mine")
    await choose(page, 1, "mine")
    await page.gone(".merge-words")
    await choose(page, 1, "written")
    await until(() => Reflect.get(page.all(".merge-words")[0] ?? {}, "value") === "saved and mine")
    await page.press("dialog button", "Save merged text")
    await page.gone("dialog")
    assert.strictEqual(disk.text, "a\nsaved and mine")
  })

  it("a choice of one whole text says how many changes of the other it drops", async () => {
    const { page, disk } = await meeting("a\nb\nc\nd\ne", "a, mine\nb\nc\nd\ne", "a, saved\nb\nc, saved\nd\ne")
    for (const [button, drops] of [
      ["Keep all of mine", "“Keep all of mine” drops 2 saved changes."],
      ["Take all of theirs", "“Take all of theirs” drops 1 change of yours."]
    ]) {
      const [found] = page.all("dialog button", button)
      const said = page.screen.ownerDocument.getElementById(found?.getAttribute("aria-describedby") ?? "")
      assert.strictEqual(said?.textContent, drops)
    }
    assert.strictEqual(disk.text, "a, saved\nb\nc, saved\nd\ne")
  })

  it("what is saved while the dialog is open is merged too, and decisions stay", async () => {
    const { page, disk, agentWrites } = await meeting("a\nb\nc\nd", "a\nmine\nc\nd", "a\nsaved\nc\nd")
    await choose(page, 1, "both")
    await until(() => !isOff(page, "Save merged text"))
    await agentWrites("a\nsaved\nc\nd\nlater")
    await page.find(".merge-merged ins", "later")
    await page.press("dialog button", "Save merged text")
    await page.gone("dialog")
    assert.strictEqual(disk.text, "a\nsaved\nmine\nc\nd\nlater")
  })

  it("says so when it's deleted while the dialog is open, and saves it as new", async () => {
    const { page, disk, agentWrites } = await meeting("a", "mine", "saved")
    await agentWrites(null)
    await page.find("dialog", "SOUL.md was deleted")
    await page.press("dialog button", "Save as new")
    await page.gone("dialog")
    assert.strictEqual(disk.text, "mine")
  })

  it("taking theirs can be taken back without losing what they saved", async () => {
    const { page, disk, document } = await meeting("a", "mine", "saved")
    await page.press("dialog button", "Take all of theirs")
    await page.gone("dialog")
    assert.strictEqual(document.text(), "saved")
    const [notice] = page.services.notices.shown.get()
    page.services.notices.act(notice?.id ?? -1)
    assert.isFalse(await document.save())
    assert.strictEqual(disk.text, "saved")
    await page.find("dialog .merge-conflict")
  })
})
