import { type Component, component$, useContextProvider, useSignal } from "@builder.io/qwik"
import { AppContext, type AppServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { INTERCEPTED } from "../core/link/ApiClient.ts"
import { ScreenView } from "./ScreenView.tsx"
import { Shell } from "./Shell.tsx"

/** The whole page: the login if needed, otherwise the shell with its screens. */
export const App = component$<{ readonly services: AppServices }>((props) => {
  useContextProvider(AppContext, props.services)
  const auth = useReadable(props.services.client.auth)
  const isIntercepted = useReadable(props.services.client.intercepted)
  const asking = useSignal(false)
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
  if (auth.value === "offline" && isIntercepted.value) {
    return (
      <main class="screen-note is-page">
        <img src="/icon.svg" alt="" width={56} height={56} />
        <h1>{say("Something else answers here")}</h1>
        <p>{INTERCEPTED}</p>
        <button type="button" class="button is-primary" onClick$={() => window.location.reload()}>
          {say("Reload")}
        </button>
      </main>
    )
  }
  if (auth.value === "required" && isMissing.value) {
    return (
      <main class="screen-note is-page">
        <img src="/icon.svg" alt="" width={56} height={56} />
        <h1>Agent Console</h1>
        <p>{say("Couldn't load this page. Reload to try again.")}</p>
        <button type="button" class="button is-primary" onClick$={() => window.location.reload()}>
          {say("Reload")}
        </button>
      </main>
    )
  }
  if (auth.value === "offline") {
    return (
      <main class="screen-note is-page">
        <img src="/icon.svg" alt="" width={56} height={56} />
        <h1>{say("Can't reach the console")}</h1>
        <p>{say("Check that it's running and that this device is on its network.")}</p>
        <button
          type="button"
          class="button is-primary"
          disabled={asking.value}
          onClick$={async () => {
            asking.value = true
            await props.services.client.start()
            asking.value = false
          }}
        >
          {asking.value ? say("Trying…") : say("Try again")}
        </button>
      </main>
    )
  }
  if (auth.value === "unknown" || auth.value === "required") {
    return (
      <div class="skeleton" aria-hidden="true">
        <div class="rail">
          <span class="brand">
            <img src="/icon.svg" alt="" width={32} height={32} />
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
