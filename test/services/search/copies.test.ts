import { rmSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { LONG_AFTER, line, withSearchThread } from "../../support/searchThread.ts"
import { lines, sessionsFolder } from "../../support/transcripts.ts"

const live = (title: string, test: Effect.Effect<void, unknown, never>) => it.live(title, () => test, 30_000)

describe("copies of a transcript", () => {
  const CHECKPOINT = "a.checkpoint.0b2d6e4e-7d7c-4a53-8f3a-6a1d2b6d1c11.jsonl"
  const [one, two, three] = [line("1", "pump one"), line("2", "pump two"), line("3", "pump three")]

  live(
    "are found once: a checkpoint, a fork, a backup and a line that was written twice",
    withSearchThread(({ home, path, scan, found, name, ask }) =>
      Effect.gen(function* () {
        name({ "agent:main:a": { sessionId: "a" } })
        writeFileSync(`${path}/a.jsonl`, lines(one, two, three, three))
        writeFileSync(`${path}/${CHECKPOINT}`, lines(one, two))
        writeFileSync(`${path}/a copy.jsonl`, lines(one, two, three))
        writeFileSync(`${path}/fork.jsonl`, lines(one, line("4", "pump four")))
        const writer = sessionsFolder(home, "writer")
        writeFileSync(`${writer}/b.jsonl`, lines(two))
        yield* ask("beginScan", "primary", [
          { path, agent: "main" },
          { path: writer, agent: "writer" }
        ])
        while (!(yield* ask("scan", LONG_AFTER)).isDone) yield* Effect.void
        assert.deepStrictEqual(
          (yield* found("pump")).map(([key]) => key),
          ["1", "2", "3", "4"]
        )
        yield* scan
        assert.deepStrictEqual(
          (yield* found("pump")).map(([key]) => key),
          ["1", "2", "3", "4"]
        )
      })
    )
  )

  live(
    "are found in their conversation, and still when only the copy has them",
    withSearchThread(({ path, scan, found, name }) =>
      Effect.gen(function* () {
        name({ "agent:main:a": { sessionId: "a" } })
        writeFileSync(`${path}/a.jsonl`, lines(one, two, three))
        writeFileSync(`${path}/${CHECKPOINT}`, lines(one, two))
        writeFileSync(`${path}/fork.jsonl`, lines(one, line("4", "pump four")))
        yield* scan
        const inA = (...keys: ReadonlyArray<string>) => keys.map((key) => [key, "agent:main:a"])
        const fork = ["4", "file:main/fork"]
        assert.deepStrictEqual(yield* found("pump"), [...inA("1", "2", "3"), fork])
        // The gateway shortens the transcript after it made the copy.
        writeFileSync(`${path}/a.jsonl`, lines(three))
        yield* scan
        assert.deepStrictEqual(yield* found("pump"), [...inA("1", "2", "3"), fork])
        rmSync(`${path}/${CHECKPOINT}`)
        yield* scan
        assert.deepStrictEqual(yield* found("pump"), [["1", "file:main/fork"], ...inA("3"), fork])
        rmSync(`${path}/a.jsonl`)
        yield* scan
        assert.deepStrictEqual(yield* found("pump"), [["1", "file:main/fork"], fork])
      })
    )
  )
})
