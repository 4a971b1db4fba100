import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { connectionView } from "../connection/connectionText.ts"
import { say } from "../core/language/say.ts"

/** The state of the gateway link, in a word. */
export const ConnectionStatus = component$(() => {
  const app = useServices()
  const link = useReadable(app.client.link.state)
  const hello = useReadable(app.client.link.hello)
  const view = connectionView(link.value)
  const version = hello.value === null ? "" : say("Gateway {version}", { version: hello.value.serverVersion })
  return (
    <p class={["connection", `is-${view.tone}`]} title={version} data-connection={link.value.phase}>
      <span class="connection-dot" aria-hidden="true" />
      <span role="status">{view.label}</span>
    </p>
  )
})
