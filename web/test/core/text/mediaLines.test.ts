import { assert, describe, it } from "@effect/vitest"
import {
  mediaAt,
  mediaKind,
  takeMediaLines,
  withoutMediaLines
} from "../../../../src/services/conversations/history/mediaLines.ts"
import { workedMs } from "../../../../test/support/ownTime.ts"

describe("lines that send files", () => {
  it("name one file or several, quoted or not", () => {
    const cases: ReadonlyArray<readonly [line: string, places: ReadonlyArray<string>]> = [
      ["MEDIA:/tmp/a.png", ["/tmp/a.png"]],
      ["  MEDIA: /tmp/a.png  ", ["/tmp/a.png"]],
      ["MEDIA:`/tmp/a b.png`", ["/tmp/a b.png"]],
      ['MEDIA:"./a b.png"', ["./a b.png"]],
      ["MEDIA:/tmp/a b.png", ["/tmp/a b.png"]],
      ["MEDIA:/tmp/a.png /tmp/b.png", ["/tmp/a.png", "/tmp/b.png"]],
      ["MEDIA:/tmp/a.png MEDIA:b.png", ["/tmp/a.png", "b.png"]],
      ["MEDIA:https://example.com/a.png", ["https://example.com/a.png"]],
      ["MEDIA:~/a.png", ["~/a.png"]],
      ["MEDIA:report.pdf", ["report.pdf"]]
    ]
    for (const [line, places] of cases) {
      assert.deepStrictEqual(takeMediaLines(`Look:\n${line}\nThere.`), { text: "Look:\nThere.", places }, line)
      assert.strictEqual(withoutMediaLines(`Look:\n${line}\nThere.`), "Look:\nThere.", line)
    }
  })

  it("are nothing else that looks a little like them", () => {
    for (const text of [
      "",
      "MEDIA:",
      "MEDIA: is a keyword",
      "The MEDIA:/tmp/a.png line",
      "media:/tmp/a.png",
      "MEDIAN:/tmp/a.png",
      "```\nMEDIA:/tmp/a.png\n```",
      "~~~\nMEDIA:/tmp/a.png",
      "```python\n    ```\nMEDIA:/tmp/a.png\n```"
    ])
      assert.deepStrictEqual(takeMediaLines(text), { text, places: [] }, text)
  })

  it("are hidden while only their beginning is there", () => {
    for (const begun of ["ME", "MED", "MEDIA", "MEDIA:", "MEDIA:/t", "MEDIA:.", "MEDIA:red", "  MEDIA:/tmp/a"])
      assert.strictEqual(withoutMediaLines(`Here it is:\n${begun}`), "Here it is:", begun)
    for (const other of ["M", "MEN", "MEDIA: is a word", "MEXICO", "ME too"])
      assert.strictEqual(withoutMediaLines(`Here it is:\n${other}`), `Here it is:\n${other}`, other)
  })

  it("are looked at in long texts quickly", () => {
    const text = `${"MEDIA is a word\n".repeat(100_000)}MEDIA:/tmp/a.png`
    const before = workedMs()
    assert.lengthOf(takeMediaLines(text).places, 1)
    assert.isBelow(workedMs() - before, 2_000)
  })
})

describe("files an agent names", () => {
  it("are pictures from the disk, links, or names only", () => {
    assert.deepStrictEqual(mediaAt("/tmp/a b.png", "main"), {
      name: "a b.png",
      src: "/api/files?path=%2Ftmp%2Fa%20b.png"
    })
    assert.deepStrictEqual(mediaAt("a.png", "helper"), { name: "a.png", src: "/api/files?path=a.png&agent=helper" })
    assert.deepStrictEqual(mediaAt("file:///tmp/a.png", "main"), {
      name: "a.png",
      src: "/api/files?path=%2Ftmp%2Fa.png"
    })
    assert.deepStrictEqual(mediaAt("https://example.com/a.png?x=1", "main"), {
      name: "a.png",
      src: "https://example.com/a.png?x=1",
      kind: "link"
    })
    assert.deepStrictEqual(mediaAt("/tmp/song.mp3", "main"), {
      name: "song.mp3",
      src: null,
      kind: "audio",
      problem: "ONLY_ON_GATEWAY"
    })
    for (const place of ["javascript:alert(1).png", "//example.com/a.png", "\\\\host\\a.png", "ftp://x/a.png"])
      assert.isNull(mediaAt(place, "main").src, place)
  })

  it("are of a kind by their names", () => {
    assert.isUndefined(mediaKind("a.JPG"))
    assert.strictEqual(mediaKind("a.ogg"), "audio")
    assert.strictEqual(mediaKind("a.mp4"), "video")
    assert.strictEqual(mediaKind("a.pdf"), "file")
    assert.strictEqual(mediaKind("a"), "file")
  })
})
