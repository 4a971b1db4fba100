import type { AppServices } from "../base/AppContext.ts"
import { budgetsStore } from "../core/budgets/BudgetsStore.ts"
import { say } from "../core/language/say.ts"

/** Ends the stop of everything, and says what became of it. */
export const resume = async ({ client, notices }: Pick<AppServices, "client" | "notices">): Promise<void> => {
  const done = await budgetsStore(client).goOn()
  if (done.ok) notices.show("info", say("Work goes on. What was stopped doesn't start again by itself."))
  else notices.show("error", say("Couldn't resume. {reason}", { reason: done.message }))
}
