import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readAnswer } from "../../src/services/board/proposals/readAnswer.ts"
import { makeBoardClient } from "../http/board/boardClient.ts"
import { makeFakeGateway } from "../services/board/fakeGateway.ts"

const skill = readFileSync(new URL("../../skills/agent-console-board/SKILL.md", import.meta.url), "utf8")

const blocks = (language: string): ReadonlyArray<string> =>
  Array.from(skill.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g")), (match) => match[1] ?? "")

const COMMAND = /^curl (?:-X (\w+) )?"http:\/\/127\.0\.0\.1:3080\/api\/kanban\/([^"]+)"(?: -d '([^']*)')?$/

describe("the board skill", () => {
  it("teaches markers that are understood", () => {
    const markers = blocks("marker")
    assert.lengthOf(markers, 2)
    assert.deepStrictEqual(
      markers.map((marker) => readAnswer(marker)).map(({ text, asks }) => [text, asks.map((ask) => ask.type)]),
      [
        ["", ["create"]],
        ["", ["update"]]
      ]
    )
  })

  it.effect("teaches requests that work, one after the other", () =>
    Effect.gen(function* () {
      const gateway = yield* makeFakeGateway
      const { call } = yield* makeBoardClient({ gateway: gateway.layer })
      const commands = blocks("sh").flatMap((block) => block.trim().split("\n"))
      assert.lengthOf(commands, 9)
      let id = ""
      let version = 0
      for (const command of commands) {
        const [, method = "GET", path = "", body] = COMMAND.exec(command) ?? []
        assert.notStrictEqual(path, "", command)
        const filled = (text: string) => text.replaceAll("TASK_ID", id).replaceAll("TASK_VERSION", String(version))
        const answer = yield* call(method, filled(path), body === undefined ? undefined : filled(body))
        assert.include([200, 201], answer.status, `${command} ${JSON.stringify(answer.json)}`)
        if (method !== "GET" && !path.startsWith("proposals") && !path.endsWith("/comments")) {
          id = answer.id
          version = answer.version
        }
      }
    })
  )
})
