import { type Component, component$, useContextProvider, useSignal } from "@builder.io/qwik"
import { AppContext, type AppServices } from "../base/AppContext.ts"
import { LOADS_LATER } from "../base/followPart.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { below } from "../core/common/basePath.ts"
import { say } from "../core/language/say.ts"
import { INTERCEPTED } from "../core/link/ApiClient.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { ScreenView } from "./ScreenView.tsx"
import { Shell } from "./Shell.tsx"

/** The whole page: the login if needed, otherwise the shell with its screens. */
export const App = component$<{ readonly services: AppServices }>((props) => {
  useContextProvider(AppContext, props.services)
  const auth = useReadable(props.services.client.auth)
  const isIntercepted = useReadable(props.services.client.intercepted)
  const isMissing = useSignal(false)
  const login = useSignal<{ readonly LoginScreen: Component } | null>(null)

  useBrowserTask$(async ({ track }) => {
    isMissing.value = false
    if (track(auth) !== "required") return
    try {
      login.value ??= await import("../login/LoginScreen.tsx")
    } catch {
      isMissing.value = true
    }
  })

  if (auth.value === "required" && login.value !== null) {
    const { LoginScreen } = login.value
    return <LoginScreen />
  }
  const isHidden = auth.value === "offline" && isIntercepted.value
  if (isHidden || (auth.value === "required" && isMissing.value))
    return (
      <main class="place-center page-state">
        <ErrorState
          isPage
          title={isHidden ? say("Something else answers here") : say("Couldn't load this page")}
          text={isHidden ? INTERCEPTED : LOADS_LATER}
          action={say("Reload")}
          onRetry$={() => window.location.reload()}
        />
      </main>
    )
  if (auth.value === "offline")
    return (
      <main class="place-center page-state">
        <ErrorState
          isPage
          title={say("Can't reach the console")}
          text={say("Check that it's running and that this device is on its network.")}
          onRetry$={() => props.services.client.start()}
        />
      </main>
    )
  if (auth.value === "unknown" || auth.value === "required") {
    return (
      <div class="skeleton" aria-hidden="true">
        <div class="rail">
          <span class="brand">
            <img src={below("/icon.svg")} alt="" width={32} height={32} />
          </span>
        </div>
        <div class="skeleton-side" />
        <div class="skeleton-main">
          <div class="screen-head" />
        </div>
      </div>
    )
  }
  return (
    <Shell>
      <ScreenView />
    </Shell>
  )
})
