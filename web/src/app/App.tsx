import { component$, useContextProvider, useSignal } from "@builder.io/qwik"
import { LoginScreen } from "../login/LoginScreen.tsx"
import { AppContext, type AppServices } from "./ConsoleContext.ts"
import { ScreenView } from "./ScreenView.tsx"
import { Shell } from "./Shell.tsx"
import { useReadable } from "./useReadable.ts"

/** The whole page: the login where one is needed, else the shell with its screens. */
export const App = component$<{ readonly services: AppServices }>((props) => {
  useContextProvider(AppContext, props.services)
  const auth = useReadable(props.services.console.auth)
  const asking = useSignal(false)

  if (auth.value === "required") return <LoginScreen />
  if (auth.value === "offline") {
    return (
      <main class="screen-note is-page">
        <img src="/icon.svg" alt="" width={56} height={56} />
        <h1>The console cannot be reached</h1>
        <p>Check that it is running and that this device is on its network.</p>
        <button
          type="button"
          class="button is-primary"
          disabled={asking.value}
          onClick$={async () => {
            asking.value = true
            await props.services.console.start()
            asking.value = false
          }}
        >
          {asking.value ? "Trying…" : "Try again"}
        </button>
      </main>
    )
  }
  if (auth.value === "unknown") {
    return (
      <div class="skeleton" aria-hidden="true">
        <div class="skeleton-side" />
        <div class="skeleton-main" />
      </div>
    )
  }
  return (
    <Shell>
      <ScreenView />
    </Shell>
  )
})
