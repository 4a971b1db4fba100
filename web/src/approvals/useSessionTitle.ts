import type { Signal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useSelected } from "../base/useSelected.ts"
import { shownKeys } from "../core/inbox/inboxTypes.ts"
import { say } from "../core/language/say.ts"
import { titleOfKey } from "../core/sessions/sessionRows.ts"

/** The title of the conversation that something belongs to; empty if it belongs to none. */
export const useSessionTitle = (key: string | null): Readonly<Signal<string>> => {
  const { sessions } = useServices().client
  const titleNow = (): string => {
    if (key === null) return ""
    const [row] = shownKeys(key).flatMap((one) => sessions.find(one) ?? [])
    const title = row?.title ?? titleOfKey(key)
    // A card's run without a name of its own.
    return title === say("Card") ? say("Conversation") : title
  }
  return useSelected(sessions.state, titleNow)
}
