import { component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { SIDEBAR_WIDTHS } from "../core/settings/sidebarWidth.ts"
import { followSidebarEdge } from "./followSidebarEdge.ts"

/** The sidebar's edge, which makes it wider and narrower: dragged, by arrow keys, and as before by a double click. */
export const SidebarEdge = component$(() => {
  const { settings } = useServices().client
  const chosen = useReadable(settings.state)
  const edge = useSignal<HTMLElement>()
  const usual = useSignal<number | null>(null)

  useVisibleTask$(
    ({ cleanup }) => {
      const element = edge.value
      if (element === undefined) return
      usual.value = Math.round(element.parentElement?.getBoundingClientRect().width ?? 0)
      cleanup(followSidebarEdge(element, settings))
    },
    { strategy: "document-ready" }
  )

  return (
    <div
      ref={edge}
      class="sidebar-edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={say("Width of the sidebar")}
      aria-valuemin={SIDEBAR_WIDTHS.min}
      aria-valuemax={SIDEBAR_WIDTHS.max}
      aria-valuenow={chosen.value.sidebarWidth ?? usual.value ?? undefined}
    />
  )
})
