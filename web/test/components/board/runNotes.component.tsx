import { assert, it } from "@effect/vitest"
import { failure } from "../../../../src/contract/failures.ts"
import { CONFIG, card } from "../../core/board/FakeBoard.ts"
import { openPage } from "../support/openPage.tsx"

it("a card says which commands weren't run, with every character of theirs", async () => {
  const notes = [
    failure("COMMAND_DENIED", { command: "mv a.txt \u202egnp.b" }),
    failure("COMMAND_UNREPORTED", { command: "ls" })
  ]
  const run = {
    sessionKey: "agent:main:task-a",
    status: "done",
    startedAt: 1,
    endedAt: 2,
    note: notes.map(({ message }) => message).join("\n"),
    noteWhy: notes.flatMap(({ why }) => why ?? [])
  } as const
  const page = await openPage({
    address: "/board/a",
    answers: {
      "GET /api/kanban/tasks": () => ({ items: [card("a", { status: "review", run })], hasMore: false }),
      "GET /api/kanban/tasks/a/comments": () => ({ comments: [] }),
      "GET /api/kanban/config": () => CONFIG,
      "GET /api/kanban/proposals": () => ({ proposals: [] }),
      "GET /api/kanban/views": () => ({ views: [] })
    }
  })
  await page.find(".run-note")
  assert.deepStrictEqual(
    page.all(".run-note").map(({ textContent }) => textContent),
    [
      "The command “mv a.txt ⟦U+202E⟧gnp.b” wasn't allowed.",
      "The command “ls” was allowed, but the agent was never told what came of it."
    ]
  )
})
