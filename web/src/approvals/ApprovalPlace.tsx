import { type Component, component$, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { selectReadable } from "../app/selectReadable.ts"
import { useReadable } from "../app/useReadable.ts"

type Approvals = Component<{ readonly sessionKey: string }>

/** Where a session's requests are answered; the chunk comes with the first of them. */
export const ApprovalPlace = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const key = props.sessionKey
  const waits = useReadable(
    useConstant(() =>
      selectReadable(app.console.approvals.open, (open) => open.some(({ sessionKey }) => sessionKey === key))
    )
  )
  const parts = useSignal<{ readonly Approvals: Approvals } | null>(null)

  useVisibleTask$(
    ({ track }) => {
      if (!track(() => waits.value) || parts.value !== null) return
      import("./SessionApprovals.tsx").then(
        ({ SessionApprovals }) => {
          parts.value = { Approvals: SessionApprovals }
        },
        () => app.notices.show("error", "The agent's request could not be shown. Reload the page to answer it.")
      )
    },
    { strategy: "document-ready" }
  )

  if (!waits.value || parts.value === null) return null
  const { Approvals } = parts.value
  return <Approvals sessionKey={key} />
})
