import { assert, describe, it } from "vitest"
import { workedMs } from "../../../../test/support/ownTime.ts"
import {
  joinMessage,
  type MessageFile,
  type MessageParts,
  splitMessage
} from "../../../src/core/composer/messageFiles.ts"

const report: MessageFile = { kind: "file", path: "uploads/2026-03-01/a report (final).pdf", size: "1.2 MB" }
const notes: MessageFile = { kind: "text", name: "notes.md", size: "9 B", text: "one\n\ntwo\n" }

const again = (parts: MessageParts) => splitMessage(joinMessage(parts))

describe("a message with files", () => {
  it("gives its agent the path of each file, and contains the texts", () => {
    assert.strictEqual(
      joinMessage({ words: "Look at these.", files: [notes, report] }),
      "Look at these.\n\nAttached file: uploads/2026-03-01/a report (final).pdf (1.2 MB)\n\nAttached text: notes.md (9 B)\n```md\none\n\ntwo\n\n```"
    )
  })

  it("comes apart into the same words and files", () => {
    for (const words of [
      "",
      "Look.",
      "several\n\nlines",
      "Attached file: nothing",
      "ends with a line\nAttached text: x (1 B)"
    ])
      for (const files of [[], [report], [notes], [report, notes], [report, report, notes, notes]])
        assert.deepStrictEqual(again({ words, files }), { words, files })
  })

  it("keeps texts that look like fences and files themselves", () => {
    for (const text of ["```", "````md\nx\n````", "Attached file: a (1 B)", "``` \n`````", "", "\n\n", "a\r\nb\r\n"]) {
      const files: ReadonlyArray<MessageFile> = [{ kind: "text", name: "x", size: "1 B", text }]
      assert.deepStrictEqual(again({ words: "w", files }), { words: "w", files }, JSON.stringify(text))
    }
  })

  it("is only words where anything follows, and where no file is named", () => {
    const quoted = "Attached file: a.pdf (1 B)\n\nWhat is this?"
    assert.deepStrictEqual(splitMessage(quoted), { words: quoted, files: [] })
    assert.deepStrictEqual(splitMessage("Attached text: a (1 B)"), { words: "Attached text: a (1 B)", files: [] })
    assert.deepStrictEqual(splitMessage("Attached to this"), { words: "Attached to this", files: [] })
  })

  it("shows what is there of a text that a gateway cut", () => {
    const cut = joinMessage({ words: "w", files: [notes] }).slice(0, -8)
    assert.deepStrictEqual(splitMessage(cut), { words: "w", files: [{ ...notes, text: "one\n\n" }] })
  })

  it("comes apart quickly, whatever it is", () => {
    const before = workedMs()
    splitMessage(`${"Attached file: x (1 B)\n".repeat(8_000)}end`)
    splitMessage(`${"Attached text: x (1 B)\n```\n".repeat(8_000)}end`)
    assert.isBelow(workedMs() - before, 1_000)
  })
})
