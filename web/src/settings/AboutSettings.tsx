import { component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { PAGE_VERSION } from "../base/pageVersion.ts"
import { useReadable } from "../base/useReadable.ts"

/** What is running here, and whether this page is as new as its server. */
export const AboutSettings = component$(() => {
  const app = useServices()
  const hello = useReadable(app.client.link.hello)
  const defaults = useReadable(app.client.connectDefaults)
  const server = useSignal<string | null>(null)
  const zone = useSignal<string | null>(null)
  const failure = useSignal<string | null>(null)

  useVisibleTask$(
    async () => {
      const [version, info] = await Promise.all([app.client.api.version(), app.client.api.serverInfo()])
      if (version.ok) server.value = version.value.version
      else failure.value = version.error.message
      if (info.ok) zone.value = info.value.timezone
    },
    { strategy: "document-ready" }
  )

  const gateway =
    hello.value === null ? "Not connected" : `${hello.value.serverVersion} (protocol ${hello.value.protocol})`
  const isOlder = server.value !== null && server.value !== PAGE_VERSION
  return (
    <div class="settings-page">
      <dl class="facts">
        <div>
          <dt>Console</dt>
          <dd>{failure.value ?? (server.value === null ? "…" : `Agent Console ${server.value}`)}</dd>
        </div>
        <div>
          <dt>This page</dt>
          <dd>{PAGE_VERSION}</dd>
        </div>
        <div>
          <dt>Gateway</dt>
          <dd>{gateway}</dd>
        </div>
        <div>
          <dt>Agent</dt>
          <dd>{defaults.value?.agentName ?? "…"}</dd>
        </div>
        <div>
          <dt>Server's time zone</dt>
          <dd>{zone.value ?? "…"}</dd>
        </div>
      </dl>
      {isOlder && (
        <div class="settings-bar">
          <p role="status">This page and the server are on different versions.</p>
          <button type="button" class="button is-small" onClick$={() => window.location.reload()}>
            Reload
          </button>
        </div>
      )}
      <p class="settings-note">
        <span>Agent Console is free software under the MIT licence. </span>
        <a href="/LICENSES.txt" target="_blank" rel="noopener">
          Third-party licences
        </a>
        <span> · </span>
        <a href="/operations/gateway">Check for updates</a>
      </p>
    </div>
  )
})
