import { component$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import { connectionView } from "./connectionText.ts"
import "./connection.css"

/** The state of the link to the gateway, in a word. */
export const ConnectionStatus = component$(() => {
  const app = useServices()
  const link = useReadable(app.console.link.state)
  const hello = useReadable(app.console.link.hello)
  const view = connectionView(link.value)
  const version = hello.value === null ? "" : `Gateway ${hello.value.serverVersion}`
  return (
    <p class={["connection", `is-${view.tone}`]} title={version} data-connection={link.value.phase}>
      <span class="connection-dot" aria-hidden="true" />
      <span role="status">{view.label}</span>
    </p>
  )
})
