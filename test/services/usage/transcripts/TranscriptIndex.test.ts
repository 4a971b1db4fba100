import { mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, it } from "@effect/vitest"
import { TranscriptIndex } from "../../../../src/services/usage/transcripts/TranscriptIndex.ts"
import { type CountedFile, TranscriptCounts } from "../../../support/TranscriptCounts.ts"
import { answerLine, append, lines, userLine, write } from "../../../support/transcripts.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agent-console-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const empty = () => new TranscriptCounts()

const scan = (counts: TranscriptCounts) => counts.scan({ path: folder, agent: "main" })

const sums = ({ changes }: { readonly changes: ReadonlyArray<CountedFile> }) =>
  changes.map(({ name, now, ever }) => [name, now, ever])

const at = (second: number) => Date.parse("2026-11-20T10:00:00.000Z") + second * 1000

it("reads a file once, then only what was appended", () => {
  const index = empty()
  write(
    folder,
    "a.jsonl",
    lines(answerLine({ at: at(1), input: 1 }), userLine("x"), answerLine({ at: at(2), input: 2 }))
  )
  assert.deepStrictEqual(sums(scan(index)), [["a.jsonl", 3, 3]])
  assert.deepStrictEqual(sums(scan(index)), [])
  append(folder, "a.jsonl", lines(answerLine({ at: at(3), input: 4 })))
  assert.deepStrictEqual(sums(scan(index)), [["a.jsonl", 7, 4]])
})

it("waits for the rest of a half-written line", () => {
  const index = empty()
  const line = answerLine({ input: 5 })
  write(folder, "a.jsonl", line.slice(0, 50))
  assert.deepStrictEqual(sums(scan(index)), [["a.jsonl", 0, 0]])
  append(folder, "a.jsonl", line.slice(50))
  assert.deepStrictEqual(sums(scan(index)), [["a.jsonl", 0, 0]])
  append(folder, "a.jsonl", "\n")
  assert.deepStrictEqual(sums(scan(index)), [["a.jsonl", 5, 5]])
})

it("goes on where it was after a restart", () => {
  write(folder, "a.jsonl", lines(answerLine({ input: 1 })))
  const index = empty()
  scan(index)
  index.restart()
  assert.deepStrictEqual(sums(scan(index)), [])
  append(folder, "a.jsonl", lines(answerLine({ input: 2 })))
  index.restart()
  assert.deepStrictEqual(sums(scan(index)), [["a.jsonl", 3, 2]])
})

it("reads a truncated file anew and counts none of it twice for ever", () => {
  const index = empty()
  const first = lines(answerLine({ at: at(1), input: 1 }))
  write(folder, "a.jsonl", first + lines(answerLine({ at: at(2), input: 2 })))
  scan(index)
  truncateSync(join(folder, "a.jsonl"), first.length)
  assert.deepStrictEqual(sums(scan(index)), [["a.jsonl", 1, 0]])
  append(folder, "a.jsonl", lines(answerLine({ at: at(9), input: 8 })))
  assert.deepStrictEqual(sums(scan(index)), [["a.jsonl", 9, 8]])
})

it("notices a file rewritten in place, longer or of the same length", () => {
  const index = empty()
  write(folder, "a.jsonl", lines(answerLine({ at: at(1), input: 1, output: 1 })))
  scan(index)
  write(folder, "a.jsonl", lines(answerLine({ at: at(2), input: 2, output: 1 }), answerLine({ at: at(3), input: 4 })))
  assert.deepStrictEqual(sums(scan(index)), [["a.jsonl", 6, 6]])
  write(folder, "a.jsonl", lines(answerLine({ at: at(5), input: 3, output: 1 }), answerLine({ at: at(6), input: 5 })))
  assert.deepStrictEqual(sums(scan(index)), [["a.jsonl", 8, 8]])
})

it("goes on in a transcript that a reset has set aside, and starts the one in its place", () => {
  const index = empty()
  write(folder, "a.jsonl", lines(answerLine({ at: at(1), input: 1 })))
  scan(index)
  append(folder, "a.jsonl", lines(answerLine({ at: at(2), input: 2 })))
  renameSync(join(folder, "a.jsonl"), join(folder, "a.jsonl.reset.2026-11-20T10-00-05.000Z"))
  write(folder, "a.jsonl", lines(answerLine({ at: at(6), input: 4 })))
  const { changes, gone } = scan(index)
  assert.deepStrictEqual(sums({ changes }), [
    ["a.jsonl.reset.2026-11-20T10-00-05.000Z", 0, 2],
    ["a.jsonl", 4, 4]
  ])
  assert.deepStrictEqual(gone, [])
})

it("counts a copy of a session once for ever", () => {
  const index = empty()
  const text = lines(answerLine({ at: at(1), input: 1 }), answerLine({ at: at(2), input: 2 }))
  write(folder, "a.jsonl", text)
  write(folder, "a.jsonl.reset.2026", text)
  assert.deepStrictEqual(sums(scan(index)), [
    ["a.jsonl.reset.2026", 0, 3],
    ["a.jsonl", 3, 0]
  ])
})

it("names deleted files and reads one that comes back, without counting it twice for ever", () => {
  const index = empty()
  const text = lines(answerLine({ input: 1 }))
  write(folder, "a.jsonl", text)
  scan(index)
  rmSync(join(folder, "a.jsonl"))
  assert.deepStrictEqual(scan(index), { changes: [], gone: ["a.jsonl"] })
  write(folder, "a.jsonl", text)
  assert.deepStrictEqual(sums(scan(index)), [["a.jsonl", 1, 0]])
})

it("refuses symbolic links and other names", () => {
  const outside = mkdtempSync(join(tmpdir(), "agent-console-"))
  write(outside, "secret.jsonl", lines(answerLine()))
  symlinkSync(join(outside, "secret.jsonl"), join(folder, "a.jsonl"))
  symlinkSync("/dev/zero", join(folder, "b.jsonl"))
  for (const name of ["sessions.json", ".jsonl", "c.jsonl.lock", "d.jsonl.deleted.2026.zst", "e.txt"]) {
    writeFileSync(join(folder, name), lines(answerLine()))
  }
  assert.deepStrictEqual(sums(scan(empty())), [])
  rmSync(outside, { recursive: true })
})

it("reads lines of ten megabytes and damaged ones between good ones", () => {
  const long = "x".repeat(10 * 1024 * 1024)
  const damaged = Buffer.concat([Buffer.from([0xff, 0x00, 0xc3, 0x28]), Buffer.from("\n{\n\n\r\n")])
  write(
    folder,
    "a.jsonl",
    Buffer.concat([
      Buffer.from(lines(userLine(long), answerLine({ at: at(1), input: 1, text: long }))),
      damaged,
      Buffer.from(lines(answerLine({ at: at(2), input: 2 })))
    ])
  )
  assert.deepStrictEqual(sums(scan(empty())), [["a.jsonl", 3, 3]])
})

it("has nothing to say of a folder that is not there", () => {
  assert.deepStrictEqual(
    new TranscriptIndex([]).scan({ path: `${folder}/no`, agent: "a" }, () => undefined),
    []
  )
})
