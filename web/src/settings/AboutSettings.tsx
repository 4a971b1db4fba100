import { component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { below } from "../core/common/basePath.ts"
import { say } from "../core/language/say.ts"

declare const __PACKAGE_VERSION__: string

/** The version this page was built from. */
const PAGE_VERSION = __PACKAGE_VERSION__

/** What is running here, and whether this page is as new as its server. */
export const AboutSettings = component$(() => {
  const app = useServices()
  const hello = useReadable(app.client.link.hello)
  const defaults = useReadable(app.client.connectDefaults)
  const server = useSignal<string | null>(null)
  const zone = useSignal<string | null>(null)
  const failure = useSignal<string | null>(null)

  useBrowserTask$(async () => {
    const [version, info] = await Promise.all([app.client.api.version(), app.client.api.serverInfo()])
    if (version.ok) server.value = version.value.version
    else failure.value = version.error.message
    if (info.ok) zone.value = info.value.timezone
  })

  const gateway =
    hello.value === null
      ? say("Not connected")
      : say("{version} (protocol {protocol})", { version: hello.value.serverVersion, protocol: hello.value.protocol })
  const isOlder = server.value !== null && server.value !== PAGE_VERSION
  return (
    <div class="settings-page">
      <dl class="surface stack divided break-words fact-rows">
        <div>
          <dt>{say("Console")}</dt>
          <dd>
            {failure.value ?? (server.value === null ? "…" : say("Agent Console {version}", { version: server.value }))}
          </dd>
        </div>
        <div>
          <dt>{say("This page")}</dt>
          <dd>{PAGE_VERSION}</dd>
        </div>
        <div>
          <dt>{say("Gateway")}</dt>
          <dd>{gateway}</dd>
        </div>
        <div>
          <dt>{say("Agent")}</dt>
          <dd>{defaults.value?.agentName ?? "…"}</dd>
        </div>
        <div>
          <dt>{say("Server's time zone")}</dt>
          <dd>{zone.value ?? "…"}</dd>
        </div>
      </dl>
      {isOlder && (
        <div class="row wrap space-between gap-3">
          <p role="status">{say("This page and the server are on different versions.")}</p>
          <button type="button" class="button is-small" onClick$={() => window.location.reload()}>
            {say("Reload")}
          </button>
        </div>
      )}
      <p class="settings-note">
        <span>{say("Agent Console is free software under the MIT licence.")}</span>{" "}
        <a href={below("/LICENSES.txt")} target="_blank" rel="noopener">
          {say("Third-party licences")}
        </a>
        <span> · </span>
        <a href={below("/operations/gateway")}>{say("Check for updates")}</a>
      </p>
    </div>
  )
})
