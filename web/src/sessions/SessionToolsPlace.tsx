import { component$ } from "@builder.io/qwik"
import { sessionRequest } from "../base/sessionRequest.ts"
import { useRequestedPart } from "../base/usePart.ts"

/** Where the sessions' menu and dialogs are drawn; their chunk loads on first use. */
export const SessionToolsPlace = component$(() => {
  const { asked, part } = useRequestedPart(sessionRequest, () => import("./SessionTools.tsx"))
  if (asked.value === null || part.value === null) return null
  const { SessionTools } = part.value
  return <SessionTools />
})
