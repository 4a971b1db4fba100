import { $, component$, Slot, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { retryAfterFrames } from "../base/afterFrames.ts"
import { budgetRequest } from "../base/budgetRequest.ts"
import { OPEN_SESSIONS_EVENT, sessionRequest } from "../base/sessionRequest.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { NARROW } from "../base/useMedia.ts"
import { usePart } from "../base/usePart.ts"
import { useReadable } from "../base/useReadable.ts"
import { ConnectionBanner } from "../connection/ConnectionBanner.tsx"
import { say } from "../core/language/say.ts"
import { SessionList } from "../sessions/SessionList.tsx"
import { IconButton } from "../ui/IconButton.tsx"
import { RequestedPart } from "../ui/RequestedPart.tsx"
import { NoticeList } from "./NoticeList.tsx"
import { Rail } from "./Rail.tsx"
import { SidebarEdge } from "./SidebarEdge.tsx"
import { shellCommands } from "./shellCommands.ts"

const loadOverlay = async () => (await import("./palette/Overlay.tsx")).Overlay

const loadSessionTools = async () => (await import("../sessions/SessionTools.tsx")).SessionTools

const loadBudgetRequests = async () => (await import("../budgets/BudgetRequests.tsx")).BudgetRequests

/** Says that everything is stopped, while it is; it arrives after the first screen. */
const StopPlace = component$(() => {
  const { part } = usePart(() => import("../budgets/StopBar.tsx")).value
  return part === null ? null : <part.StopBar />
})

/** The frame around every screen: the rail to the screens, the sessions, the main area; on a phone tabs at the bottom and a drawer. */
export const Shell = component$(() => {
  const app = useServices()
  const { overlay } = app
  const settings = useReadable(app.client.settings.state)
  const isOpen = settings.value.sidebar === "open"
  const drawer = useSignal(false)
  const sidebar = useSignal<HTMLElement>()
  useCommands(() => shellCommands(app))

  useBrowserTask$(({ cleanup }) => {
    const focusSessions = () => {
      const target =
        // A field would bring up a phone's keyboard, over the list.
        (drawer.value ? null : sidebar.value?.querySelector<HTMLElement>(".sessions-filter")) ??
        sidebar.value?.querySelector<HTMLElement>("a[data-session][aria-current]") ??
        sidebar.value?.querySelector<HTMLElement>("a[data-session]") ??
        sidebar.value?.querySelector<HTMLElement>("button.only-phone")
      target?.focus()
    }
    const open = () => {
      const isDrawer = window.matchMedia(NARROW).matches
      drawer.value = isDrawer
      if (!isDrawer) app.client.settings.update({ sidebar: "open" })
      // The drawer becomes focusable some frames after it is shown, and may be closed by then.
      retryAfterFrames(2, 20, () => {
        if (drawer.value !== isDrawer) return true
        focusSessions()
        return sidebar.value?.contains(document.activeElement) === true
      })
    }
    const close = () => {
      drawer.value = false
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && drawer.value) {
        event.stopPropagation()
        close()
        // What the drawer covers can't take the focus until the next frame draws it free, however late that comes.
        document.getElementById("main")?.removeAttribute("inert")
        document.querySelector<HTMLElement>("[data-open-sessions]")?.focus()
      }
    }
    const onClick = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest("a") !== null) close()
    }
    const element = sidebar.value
    element?.addEventListener("click", onClick)
    document.addEventListener("keydown", onKey, true)
    window.addEventListener(OPEN_SESSIONS_EVENT, open)
    const stop = app.router.location.subscribe(close)
    cleanup(() => {
      element?.removeEventListener("click", onClick)
      document.removeEventListener("keydown", onKey, true)
      window.removeEventListener(OPEN_SESSIONS_EVENT, open)
      stop()
    })
  })

  const closeDrawer = $(() => {
    drawer.value = false
  })

  return (
    <div class={["shell", drawer.value && "is-drawer-open"]}>
      <a class="skip-link" href="#main">
        {say("Skip to content")}
      </a>
      <Rail />
      <aside class="sidebar" ref={sidebar} aria-label={say("Sessions")}>
        <SessionList>
          <IconButton class="only-phone" icon="x" label={say("Close sessions")} onClick$={closeDrawer} />
        </SessionList>
        {isOpen && <SidebarEdge />}
      </aside>
      <button type="button" class="scrim" tabIndex={-1} aria-label={say("Close sessions")} onClick$={closeDrawer} />
      <main id="main" class="flex-column can-shrink shell-main" tabIndex={-1} inert={drawer.value}>
        <StopPlace />
        <Slot />
        <ConnectionBanner />
      </main>
      <NoticeList />
      <RequestedPart request={sessionRequest} load={loadSessionTools} />
      <RequestedPart request={budgetRequest} load={loadBudgetRequests} />
      <RequestedPart request={overlay} load={loadOverlay} />
    </div>
  )
})
