import { type Component, component$, useContextProvider, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { AppContext, type AppServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { withTexts } from "../core/language/catalogue.ts"
import { say } from "../core/language/say.ts"
import { ScreenView } from "./ScreenView.tsx"
import { Shell } from "./Shell.tsx"

/** The whole page: the login if needed, otherwise the shell with its screens. */
export const App = component$<{ readonly services: AppServices }>((props) => {
  useContextProvider(AppContext, props.services)
  const auth = useReadable(props.services.client.auth)
  const asking = useSignal(false)
  const login = useSignal<{ readonly LoginScreen: Component } | null>(null)

  useVisibleTask$(
    async ({ track }) => {
      if (track(auth) === "required") login.value ??= await withTexts(() => import("../login/LoginScreen.tsx"))
    },
    { strategy: "document-ready" }
  )

  if (auth.value === "required" && login.value !== null) {
    const { LoginScreen } = login.value
    return <LoginScreen />
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
        <div class="skeleton-side">
          <div class="sidebar-head">
            <span class="brand">
              <img src="/icon.svg" alt="" width={28} height={28} />
              <span>Agent Console</span>
            </span>
          </div>
        </div>
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
