import { type Component, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { followPart, LOADS_LATER } from "../base/followPart.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useSelected } from "../base/useSelected.ts"
import { say } from "../core/language/say.ts"

type Requests = Component<{ readonly sessionKey: string }>

/** Where a session's requests and questions are answered; the chunk loads with the first of them. */
export const ApprovalPlace = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const key = props.sessionKey
  const waits = useSelected(app.client.inbox.keys, (keys) => keys.has(key))
  const news = useSelected(app.client.inbox.notes, (notes) => notes.some(({ sessionKey }) => sessionKey === key))
  const parts = useSignal<{ readonly Requests: Requests } | null>(null)

  useBrowserTask$(({ track, cleanup }) => {
    if (!track(() => waits.value || news.value) || parts.value !== null) return
    const stop = followPart(
      app.client,
      () => import("./SessionRequests.tsx"),
      ({ SessionRequests }) => {
        parts.value = { Requests: SessionRequests }
      },
      () => app.notices.show("error", say("Couldn't show the agent's request. {advice}", { advice: LOADS_LATER }))
    )
    cleanup(stop)
  })

  if (!(waits.value || news.value) || parts.value === null) return null
  const { Requests } = parts.value
  return <Requests sessionKey={key} />
})
