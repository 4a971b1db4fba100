import { component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { listText } from "../core/common/phrases.ts"
import type { GatewayRow } from "../core/gateways/GatewaysStore.ts"
import { socketAddress } from "../core/gateways/gatewayText.ts"
import { say } from "../core/language/say.ts"
import { decodeAgents, readModels } from "../core/sessions/sessionChoices.ts"

/** More names than this are counted. */
const MOST_NAMES = 3

/** The names, none broken in two, or how many there are. */
const namesText = (names: ReadonlyArray<string>): string =>
  names.length === 0
    ? say("None")
    : names.length > MOST_NAMES
      ? String(names.length)
      : listText(names.map((name) => name.replaceAll(" ", "\u00a0")))

/** Where a gateway is, and what it has. */
export const GatewayFacts = component$<{ readonly gateway: GatewayRow }>((props) => {
  const { api } = useServices().client
  const agents = useSignal<ReadonlyArray<string> | null>(null)
  const models = useSignal<ReadonlyArray<string> | null>(null)
  const isAsking = useSignal(true)
  const { id, isLocal, url } = props.gateway

  useBrowserTask$(async ({ track }) => {
    isAsking.value = track(() => props.gateway.state) === "ok"
    if (!isAsking.value) return
    const [named, offered] = await Promise.all([
      api.request("GET", `/api/agents?gateway=${encodeURIComponent(id)}`, decodeAgents),
      readModels(api, id)
    ])
    if (named.ok) agents.value = named.value.map(({ name }) => name)
    if (offered.ok) models.value = offered.value.map(({ label }) => label)
    isAsking.value = false
  })

  const waiting = isAsking.value ? "…" : null
  const facts = [
    { name: say("Address"), value: socketAddress(url), isCode: true },
    { name: say("Runs on"), value: isLocal ? say("The console's machine") : say("Another machine") },
    { name: say("Agents"), value: agents.value === null ? waiting : namesText(agents.value) },
    { name: say("Models"), value: models.value === null ? waiting : namesText(models.value) }
  ]
  return (
    <dl class="gateway-known">
      {facts.map(({ isCode, name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{isCode === true ? <code>{value}</code> : (value ?? say("Unknown"))}</dd>
        </div>
      ))}
    </dl>
  )
})
