import { component$ } from "@builder.io/qwik"
import { usePart } from "../base/usePart.ts"

/** Says which budgets hold a session; its code arrives after the first screen. */
export const HoldPlace = component$<{ readonly sessionKey: string }>((props) => {
  const { part } = usePart(() => import("./SessionHolds.tsx")).value
  const { sessionKey } = props
  return part === null ? null : <part.SessionHolds sessionKey={sessionKey} />
})
