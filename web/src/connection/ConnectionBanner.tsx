import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { addressedSession } from "../base/routes.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { below } from "../core/common/basePath.ts"
import { say } from "../core/language/say.ts"
import { CommandLine } from "../ui/CommandLine.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useNow } from "../ui/useNow.ts"
import { commandToRun, connectionBanner } from "./connectionText.ts"

/** How long the server's events may stay away before the banner mentions it. */
const STREAM_PATIENCE = 5_000

/** Says what is wrong with the connection and what to do; nothing while all is well. */
export const ConnectionBanner = component$(() => {
  const app = useServices()
  const link = useReadable(app.client.link.state)
  const defaults = useReadable(app.client.connectDefaults)
  const server = useReadable(app.client.gatewayStatus)
  const now = useNow(500)
  const location = useReadable(app.router.location)
  const token = useSignal("")
  const isIntercepted = useReadable(app.client.intercepted)
  const stream = useReadable(app.client.events.connected)
  const isLive = useSignal(true)
  const hadStream = useSignal(false)

  useBrowserTask$(({ track, cleanup }) => {
    isLive.value = true
    if (track(() => stream.value)) {
      hadStream.value = true
      return
    }
    const timer = setTimeout(() => {
      isLive.value = false
    }, STREAM_PATIENCE)
    cleanup(() => clearTimeout(timer))
  })

  const useToken = $(() => {
    app.client.link.setToken(token.value.trim())
    token.value = ""
    app.client.link.retryNow()
  })

  // Sessions are read on every connection, and stay while it is down.
  const wasConnected = app.client.sessions.state.get().status === "ready"
  const signsIn = defaults.value?.serverSideAuth !== false
  const hasConsole = stream.value || !hadStream.value
  const facts = { server: server.value, signsIn, isLive: isLive.value, hasConsole, isIntercepted: isIntercepted.value }
  const banner = connectionBanner(link.value, now.value, wasConnected, facts)
  // What is open may be on another gateway, which works.
  const session = addressedSession(location.value)
  const isElsewhere = session != null && app.client.linkOf(session) !== app.client.link
  const isFine = isElsewhere && app.client.linkOf(session).state.get().phase === "ready"
  if (banner === null || (isFine && hasConsole)) return <div class="banner-place" />
  const retries = banner.reloads !== true
  const command = isIntercepted.value ? null : commandToRun(link.value, server.value, signsIn)
  const reason =
    hasConsole && !isIntercepted.value && server.value?.gateway === "unreachable" ? server.value.reason : null
  const wantsToken = link.value.phase === "refused" && !signsIn
  return (
    <div class="banner-place">
      <div class={["banner", `is-${banner.tone}`]} data-banner={link.value.phase}>
        <Icon name="triangle-alert" />
        <div class="banner-text">
          <p class="banner-title">{banner.title}</p>
          {banner.detail !== null && <p role="status">{banner.detail}</p>}
          {command !== null && <CommandLine command={command} label={say("Copy command")} />}
          {reason !== null && reason !== banner.detail && <p>{reason}</p>}
          {wantsToken && (
            <form class="row gap-2" preventdefault:submit onSubmit$={useToken}>
              <input
                class="field"
                type="password"
                autocomplete="off"
                aria-label={say("Gateway token")}
                placeholder={say("Gateway token")}
                bind:value={token}
              />
              <button type="submit" class="button is-small">
                {say("Connect")}
              </button>
            </form>
          )}
        </div>
        {reason !== null && (
          <a class="button is-small" href={below("/settings/gateways")}>
            {say("Change address")}
          </a>
        )}
        {banner.retry !== null && (
          <button
            type="button"
            class="button is-small"
            onClick$={() => (retries ? app.client.link.retryNow() : window.location.reload())}
          >
            {banner.retry}
          </button>
        )}
      </div>
    </div>
  )
})
