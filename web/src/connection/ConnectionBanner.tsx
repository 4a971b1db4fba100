import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import { Icon } from "../ui/Icon.tsx"
import { useNow } from "../ui/useNow.ts"
import { connectionBanner } from "./connectionText.ts"
import "./connection.css"

/** Says what is wrong with the connection and what to do; nothing while all is well. */
export const ConnectionBanner = component$(() => {
  const app = useServices()
  const link = useReadable(app.console.link.state)
  const defaults = useReadable(app.console.connectDefaults)
  const server = useReadable(app.console.gatewayStatus)
  const now = useNow(500)
  const token = useSignal("")

  const useToken = $(() => {
    app.console.link.setToken(token.value.trim())
    token.value = ""
    app.console.link.retryNow()
  })

  // Sessions are read with every connection, and stay while it is gone.
  const wasConnected = app.console.sessions.state.get().status === "ready"
  const banner = connectionBanner(link.value, now.value, wasConnected)
  if (banner === null) return <div class="banner-place" />
  const reason = server.value?.gateway === "unreachable" ? server.value.reason : null
  const wantsToken = link.value.phase === "refused" && defaults.value?.serverSideAuth === false
  return (
    <div class="banner-place">
      <div class={["banner", `is-${banner.tone}`]} data-banner={link.value.phase}>
        <Icon name="triangle-alert" />
        <div class="banner-text">
          <p class="banner-title">{banner.title}</p>
          {banner.detail !== null && <p role="status">{banner.detail}</p>}
          {reason !== null && reason !== banner.detail && <p>{reason}</p>}
          {wantsToken && (
            <form class="banner-form" preventdefault:submit onSubmit$={useToken}>
              <input
                class="field"
                type="password"
                autocomplete="off"
                aria-label="Gateway token"
                placeholder="Gateway token"
                bind:value={token}
              />
              <button type="submit" class="button is-small">
                Connect
              </button>
            </form>
          )}
        </div>
        {banner.retry !== null && (
          <button type="button" class="button is-small" onClick$={() => app.console.link.retryNow()}>
            {banner.retry}
          </button>
        )}
      </div>
    </div>
  )
})
