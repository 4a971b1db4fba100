import { assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { uploads } from "../../../src/core/composer/draftFiles.ts"
import { splitMessage } from "../../../src/core/composer/messageFiles.ts"
import { openComposer } from "../support/openComposer.tsx"
import { until } from "../support/openPage.tsx"

type Composer = Awaited<ReturnType<typeof openComposer>>

const TABLE = "<table><tr><td>Apples</td><td>3</td></tr></table>"
const PNG = new File([Uint8Array.of(1, 2, 3)], "image.png", { type: "image/png" })
const BIG = "line of 22 characters\r\n".repeat(1_000)
const BIG_IN_FIELD = BIG.replaceAll("\r\n", "\n")

/** Pastes as a browser does: if no handler takes it, the text is in the field afterwards. */
const paste = async ({ area, fire }: Composer, text: string, { files = [] as Array<File>, html = "" } = {}) => {
  const data: Record<string, string> = { "text/plain": text, "text/html": html }
  const event = area.ownerDocument.createEvent("Event")
  event.initEvent("paste", true, true)
  area.dispatchEvent(Object.assign(event, { clipboardData: { files, getData: (type: string) => data[type] ?? "" } }))
  if (event.defaultPrevented) return
  const [start, end] = [area.selectionStart, area.selectionEnd]
  const plain = text.replace(/\r\n?/g, "\n")
  area.value = area.value.slice(0, start) + plain + area.value.slice(end)
  await fire(area, "input")
}
const textFileIn = (message: unknown) => {
  const { files, words } = splitMessage(String(message))
  const [file] = files
  return { words, text: file?.kind === "text" ? file.text : null }
}

beforeEach(() => {
  uploads.set([])
  vi.stubGlobal(
    "XMLHttpRequest",
    class {
      upload = {}
      open() {}
      setRequestHeader() {}
      send() {}
      abort() {}
    }
  )
  // What a browser draws pictures with.
  vi.stubGlobal("createImageBitmap", async () => ({ width: 1, height: 1, close: () => {} }))
  vi.stubGlobal(
    "FileReader",
    class {
      result = "data:image/png;base64,AQID"
      onload = () => {}
      readAsDataURL() {
        setTimeout(() => this.onload())
      }
    }
  )
})

describe("what is pasted", () => {
  it("is the text where an office program put a picture of it beside it", async () => {
    const page = await openComposer()
    await paste(page, "Apples\t3\nPears\t4", { files: [PNG], html: TABLE })
    assert.strictEqual(page.area.value, "Apples\t3\nPears\t4")
    assert.lengthOf(page.all(".composer-picture"), 0)
    await paste(page, "/home/ada/image.png", { files: [PNG] })
    await page.find(".composer-picture")
    assert.strictEqual(page.area.value, "Apples\t3\nPears\t4")
  })

  it("becomes a file above 20 KB, its line ends as they were, and a text again by one press", async () => {
    const page = await openComposer()
    await page.type("See below: and here")
    page.area.setSelectionRange(10, 10)
    await paste(page, BIG)
    await page.find(".composer-file", "pasted text.txt")
    assert.strictEqual(page.area.value, "See below: and here")
    await until(() => textFileIn(page.saved().at(-1)).text === BIG)
    await page.press(".composer-note button", "Keep it as text")
    await page.gone(".composer-file")
    assert.strictEqual(page.area.value, `See below:${BIG_IN_FIELD} and here`)
    assert.lengthOf(page.all(".composer-note"), 0)
    await page.key("Enter")
    await until(() => page.sent().length === 1)
    assert.strictEqual(page.sent()[0]?.[0], `See below:${BIG_IN_FIELD} and here`)
  })

  it("is counted in bytes", async () => {
    const page = await openComposer()
    await paste(page, "字".repeat(6_700))
    await page.find(".composer-file", "pasted text.txt")
    assert.strictEqual(page.area.value, "")
    await page.key("Enter")
    await until(() => page.sent().length === 1)
    assert.strictEqual(textFileIn(page.sent()[0]?.[0]).text, "字".repeat(6_700))
    await page.gone(".composer-note")
    await paste(page, "a".repeat(8_000))
    assert.strictEqual(page.area.value.length, 8_000)
    assert.lengthOf(page.all(".composer-note"), 0)
  })

  it("is offered to become a file above 8 KB", async () => {
    const page = await openComposer()
    const text = "a line\r\n".repeat(1_100)
    await page.type("Before. ")
    await paste(page, text)
    await page.press(".composer-note button", "Attach it as a file")
    await page.find(".composer-file", "pasted text.txt")
    assert.strictEqual(page.area.value, "Before.")
    await until(() => textFileIn(page.saved().at(-1)).text === text)
  })

  it("stays a text where it can't be a file", async () => {
    const page = await openComposer()
    vi.spyOn(File.prototype, "arrayBuffer").mockRejectedValue(new Error("gone"))
    await page.type("Before. ")
    await paste(page, BIG)
    await until(() => page.area.value !== "Before. ")
    assert.strictEqual(page.area.value, `Before. ${BIG_IN_FIELD}`)
    assert.match(page.services.notices.shown.get()[0]?.text ?? "", /^Not attached: pasted text\.txt/)
  })
})

describe("a text that is too long to send", () => {
  it("says so before it's sent, and becomes a file on request", async () => {
    const page = await openComposer()
    await page.type("x".repeat(204_000))
    const note = await page.find(".composer-too-long")
    assert.match(note.textContent ?? "", /^That's too long to send \(204,000 of 200,000 characters\)\. Until then/)
    await page.key("Enter")
    await page.press(".composer [type=submit]")
    assert.strictEqual(page.area.value.length, 204_000)
    assert.deepStrictEqual(page.sent(), [])
    await page.type("x".repeat(500_001))
    await page.find(".composer-too-long", "It's lost when you leave this page.")
    await page.press(".composer-too-long button", "Attach it as a file")
    // It's too large for the message, so it goes to the agent's workspace.
    const [upload] = await until(() => uploads.get().length > 0 && uploads.get())
    assert.deepStrictEqual([upload?.name, upload?.size, page.area.value], ["message.txt", "500 KB", ""])
    await page.gone(".composer-too-long")
  })

  it("is one of more characters than the console takes", async () => {
    const page = await openComposer()
    await page.type("x".repeat(200_000))
    await page.gone(".composer-too-long")
    await page.type("x".repeat(200_001))
    await page.find(".composer-too-long", "200,001 of 200,000")
    await page.type("👍".repeat(200_000))
    await page.gone(".composer-too-long")
    await page.type("👍".repeat(200_001))
    await page.find(".composer-too-long", "200,001 of 200,000")
    await page.key("Enter")
    await page.type("short")
    await page.gone(".composer-too-long")
    await page.key("Enter")
    await until(() => page.sent().length === 1)
    assert.deepStrictEqual(page.sent(), [["short", 0]])
  })
})
