import { $, component$, type QRL, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { LimitButton } from "../budgets/LimitButton.tsx"
import { decodeAgents } from "../core/agents/agentList.ts"
import { below } from "../core/common/basePath.ts"
import { listText } from "../core/common/phrases.ts"
import type { GatewayInput, GatewayRow, GatewaysStore } from "../core/gateways/GatewaysStore.ts"
import { approvalCommand, socketAddress, stateText, stateTone } from "../core/gateways/gatewayText.ts"
import { say } from "../core/language/say.ts"
import { readModels } from "../core/sessions/sessionChoices.ts"
import { CommandLine } from "../ui/CommandLine.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Said } from "../ui/Said.tsx"
import { GatewayForm } from "./GatewayForm.tsx"
import "../ui/fold.css"

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
const GatewayFacts = component$<{ readonly gateway: GatewayRow }>((props) => {
  const { api } = useServices().client
  const agents = useSignal<ReadonlyArray<string> | null>(null)
  const models = useSignal<ReadonlyArray<string> | null>(null)
  const isAsking = useSignal(true)
  const { id, isLocal, url } = props.gateway

  useBrowserTask$(async ({ track }) => {
    isAsking.value = track(() => props.gateway.state) === "ok"
    if (!isAsking.value) return
    const [named, offered] = await Promise.all([
      api.request("GET", `/api/agents?gateway=${encodeURIComponent(id)}`, (answer) => decodeAgents(answer)),
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
    <dl class="stack small gateway-known">
      {facts.map(({ isCode, name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{isCode === true ? <code>{value}</code> : (value ?? say("Unknown"))}</dd>
        </div>
      ))}
    </dl>
  )
})

const SETUP = "agent-console setup"
const SETTINGS_FILE = ".env"
const VARIABLES = "AGENT_NAME, GATEWAY_URL, GATEWAY_TOKEN"

interface GatewayListProps {
  readonly store: GatewaysStore
  readonly gateways: ReadonlyArray<GatewayRow>
  readonly onSaid$: QRL<(text: string) => void>
}

/** The gateways with their state, and the actions for those that were added. */
export const GatewayList = component$<GatewayListProps>((props) => {
  const app = useServices()
  const changing = useSignal<string | null>(null)
  const removing = useSignal<GatewayRow | null>(null)
  const gone = removing.value
  const stop = $(() => {
    changing.value = null
  })
  useCommands(() => {
    const group = say("Gateways")
    return props.gateways.flatMap((gateway) => {
      const { id, isPrimary, name } = gateway
      const status = {
        id: `gateways.status ${id}`,
        label: say("View the status of {name}", { name }),
        group,
        run: () => app.router.navigate(below(`/operations/gateway?gateway=${encodeURIComponent(id)}`))
      }
      if (isPrimary) return [status]
      return [
        status,
        {
          id: `gateways.change ${id}`,
          label: say("Change {name}", { name }),
          group,
          run: () => {
            changing.value = id
          }
        },
        {
          id: `gateways.remove ${id}`,
          label: say("Remove {name}", { name }),
          group,
          run: () => {
            removing.value = gateway
          }
        }
      ]
    })
  })
  return (
    <>
      <ul class="plain-list stack gap-3" aria-label={say("Gateways")}>
        {props.gateways.map((gateway) => {
          const { id, isPrimary, name, reason, url } = gateway
          const command = approvalCommand(gateway)
          return (
            <li key={id} class="surface gateway-row">
              <a
                class="row plain-link hoverable gap-2 border-bottom gateway-open"
                href={below(`/operations/gateway?gateway=${encodeURIComponent(id)}`)}
              >
                <span class="row wrap gateway-name">
                  <span>{name}</span>
                  <span class={["badge", stateTone(gateway)]}>{stateText(gateway)}</span>
                </span>
                <span class="gateway-lead">{say("View status")}</span>
                <Icon name="chevron-right" />
              </a>
              <GatewayFacts gateway={gateway} />
              {reason !== null && <p>{reason}</p>}
              {command !== null && <CommandLine command={command} label={say("Copy command")} />}
              <div class="flex">
                <LimitButton scope={{ kind: "gateway", gatewayId: id }} />
              </div>
              {!isPrimary && changing.value !== id && (
                <div class="flex gap-2 gateway-actions">
                  <button
                    type="button"
                    class="button is-small"
                    aria-label={say("Change {name}", { name })}
                    onClick$={() => {
                      changing.value = id
                    }}
                  >
                    {say("Change")}
                  </button>
                  <button
                    type="button"
                    class="button is-small"
                    aria-label={say("Remove {name}", { name })}
                    onClick$={() => {
                      removing.value = gateway
                    }}
                  >
                    {say("Remove")}
                  </button>
                </div>
              )}
              {changing.value === id && (
                <GatewayForm
                  before={{ name, url }}
                  onCancel$={stop}
                  onSave$={async (input: GatewayInput) => {
                    const done = await props.store.change(id, input)
                    if (done.ok) changing.value = null
                    return done
                  }}
                />
              )}
              {isPrimary && (
                <details class="fold">
                  <summary>{say("Change address or token")}</summary>
                  <p class="gateway-place">
                    {say(
                      "The console reads this gateway's address and token when it starts. Run this in the console's folder, answer its questions, and restart the console:"
                    )}
                  </p>
                  <CommandLine command={SETUP} label={say("Copy command")} />
                  <p class="gateway-place">
                    <Said
                      text="It writes {names} in the file {file}, where you can edit them, too. To keep this gateway and use another one beside it, add that below."
                      parts={{
                        names: <code dir="ltr">{VARIABLES}</code>,
                        file: <code dir="ltr">{SETTINGS_FILE}</code>
                      }}
                    />
                  </p>
                </details>
              )}
            </li>
          )
        })}
      </ul>
      {gone !== null && (
        <ConfirmDialog
          title={say("Remove {name}?", { name: gone.name })}
          confirmLabel={say("Remove")}
          danger
          onCancel$={() => {
            removing.value = null
          }}
          onConfirm$={async () => {
            const { id, name } = gone
            const removed = await props.store.remove(id)
            removing.value = null
            await props.onSaid$(removed.ok ? say("{name} was removed.", { name }) : removed.message)
          }}
        >
          <p>
            {say(
              "The console forgets its address and token. What waits for it isn't sent, its cards go back to To do, and its usage isn't counted any more. Its sessions stay on the gateway."
            )}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
})
