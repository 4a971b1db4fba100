import { Effect } from "effect"
import { Routines } from "../../../src/services/board/routines/Routines.ts"
import { Templates } from "../../../src/services/board/templates/Templates.ts"

/** Adds a recurring card and a template. */
export const seedRoutines = Effect.fn("seedRoutines")(function* () {
  const routines = yield* Routines
  const templates = yield* Templates
  yield* routines.create({
    name: "Weekly boats",
    schedule: { cron: "0 9 * * 1" },
    task: { title: "Count last week’s boats ({date})", labels: ["harbour"], assignee: "agent:main" }
  })
  yield* templates.create({
    name: "Bug",
    task: {
      description: "What happens:\n\nWhat should happen:\n\nHow to see it:",
      labels: ["bug"],
      priority: "high",
      assignee: "agent:coder"
    }
  })
})
