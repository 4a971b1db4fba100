import { component$ } from "@builder.io/qwik"
import { usePart } from "../base/usePart.ts"
import { workOfSession } from "../core/budgets/holds.ts"

/** Says which budgets hold a session; its code arrives after the first screen. */
export const HoldPlace = component$<{ readonly sessionKey: string }>((props) => {
  const { part } = usePart(() => import("./HoldNotes.tsx")).value
  const work = workOfSession(props.sessionKey)
  return part === null ? null : <part.HoldNotes work={work} />
})
