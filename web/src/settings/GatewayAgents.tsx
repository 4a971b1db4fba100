import { component$, type QRL, useSignal } from "@builder.io/qwik"
import { AGENT_RIGHTS, type AgentRight, USUAL_RIGHTS } from "../../../src/contract/agentRights.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { RIGHT_TEXTS } from "../core/agents/AgentTokenStore.ts"
import type { GatewayAgentsRow, GatewayAgentsStore } from "../core/agents/GatewayAgentsStore.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Field } from "../ui/Field.tsx"

interface AgentRightChoiceProps {
  readonly legend: string
  readonly rights: ReadonlyArray<AgentRight>
  readonly onChange$: QRL<(rights: ReadonlyArray<AgentRight>) => void>
}

/** What an agent may do. */
export const AgentRightChoice = component$<AgentRightChoiceProps>((props) => (
  <fieldset class="choice">
    <legend>{props.legend}</legend>
    <div class="choice-options">
      {AGENT_RIGHTS.map((right) => (
        <label key={right} class="choice-option">
          <input
            type="checkbox"
            checked={props.rights.includes(right)}
            onChange$={(_, element) => {
              const others = props.rights.filter((known) => known !== right)
              return props.onChange$(element.checked ? [...others, right] : others)
            }}
          />
          <span class="agent-right">
            <span>{RIGHT_TEXTS[right].label}</span>
            <span class="field-hint">{RIGHT_TEXTS[right].hint}</span>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
))

interface AddGatewayAgentsProps {
  readonly store: GatewayAgentsStore
  /** A proposal for where the gateway reaches this console. */
  readonly address: string
  readonly onClose$: QRL<(added: boolean) => void>
}

/** Asks before the console becomes a server in the gateway's configuration. */
const AddGatewayAgents = component$<AddGatewayAgentsProps>((props) => {
  const address = useSignal(props.address)
  const rights = useSignal<ReadonlyArray<AgentRight>>(USUAL_RIGHTS)
  const problem = useSignal<string | null>(null)
  return (
    <ConfirmDialog
      title={say("Let the gateway's agents use the board?")}
      confirmLabel={say("Add to the gateway")}
      onCancel$={() => props.onClose$(false)}
      onConfirm$={async () => {
        if (rights.value.length === 0) {
          problem.value = say("Choose what they may do.")
          return
        }
        const added = await props.store.add(address.value.trim().replace(/\/+$/, ""), rights.value)
        problem.value = added.ok ? null : added.message
        if (added.ok) await props.onClose$(true)
      }}
    >
      <div class="stack justify-start gap-4 can-shrink agent-form">
        <p>
          {say(
            "This creates a token named gateway and adds the server agent-console with it to the gateway's configuration, for all of its agents. You can take it back here."
          )}
        </p>
        <Field
          label={say("This console's address")}
          for="agent-gateway-address"
          hint={say("The address at which the gateway's machine can reach it.")}
          error={problem.value}
        >
          <input
            id="agent-gateway-address"
            class="field"
            type="url"
            autoComplete="off"
            value={address.value}
            aria-describedby="agent-gateway-address-hint"
            onInput$={(_, element) => {
              address.value = element.value
              problem.value = null
            }}
          />
        </Field>
        <AgentRightChoice
          legend={say("What they may do")}
          rights={rights.value}
          onChange$={(chosen) => {
            rights.value = chosen
            problem.value = null
          }}
        />
      </div>
    </ConfirmDialog>
  )
})

interface GatewayAgentsProps {
  readonly store: GatewayAgentsStore
  /** Called after every change. */
  readonly onSaid$: QRL<(text: string) => void>
}

const SENTENCES: Readonly<Record<GatewayAgentsRow["state"], string>> = {
  off: say("They can get the same tools, with a token of their own."),
  on: say("They can use the board."),
  revoked: say("The gateway still has this console as a server, but its token was revoked."),
  taken: say(
    "The gateway has a server named agent-console that this console didn't add. To set it up here, remove it on the gateway's machine first: openclaw mcp unset agent-console"
  ),
  older: say(
    "This gateway can't give its agents tools from outside. They put their changes into their answers instead."
  )
}

/** Whether the gateway's own agents may use the board, and the way back. */
export const GatewayAgents = component$<GatewayAgentsProps>((props) => {
  const view = useReadable(props.store.state)
  const asked = useSignal<"add" | "remove" | null>(null)
  const problem = useSignal<string | null>(null)

  useBrowserTask$(() => props.store.load())

  const { found, problem: away } = view.value
  const state = found?.state ?? null
  useCommands(() => {
    const group = say("Agents")
    const now = view.value.found?.state ?? null
    return [
      {
        id: "agents.add",
        label: say("Let the gateway's agents use the board"),
        group,
        when: () => now === "off" || now === "revoked",
        run: () => {
          asked.value = "add"
        }
      },
      {
        id: "agents.remove",
        label: say("Remove the board from the gateway"),
        group,
        when: () => now === "on" || now === "revoked",
        run: () => {
          problem.value = null
          asked.value = "remove"
        }
      }
    ]
  })
  return (
    <section class="stack justify-start gap-4 can-shrink agent-gateway" aria-labelledby="agent-gateway-title">
      <h2 id="agent-gateway-title">{say("The gateway's own agents")}</h2>
      {state === null && away === null && <p class="muted">{say("Asking the gateway…")}</p>}
      {away !== null && (
        <>
          <p>{say("Couldn't ask the gateway. {problem}", { problem: away })}</p>
          <button type="button" class="button" onClick$={() => props.store.load()}>
            {say("Ask again")}
          </button>
        </>
      )}
      {state !== null && <p>{SENTENCES[state]}</p>}
      {state === "on" && found?.address && (
        <p class="field-hint">{say("It reaches this console at {address}.", { address: found.address })}</p>
      )}
      {(state === "off" || state === "revoked") && (
        <button
          type="button"
          class="button"
          onClick$={() => {
            asked.value = "add"
          }}
        >
          {say("Let them use the board")}
        </button>
      )}
      {(state === "on" || state === "revoked") && (
        <button
          type="button"
          class="button"
          onClick$={() => {
            problem.value = null
            asked.value = "remove"
          }}
        >
          {say("Remove from the gateway")}
        </button>
      )}
      {asked.value === "add" && (
        <AddGatewayAgents
          store={props.store}
          address={found?.address ?? location.origin}
          onClose$={async (added) => {
            asked.value = null
            if (added) await props.onSaid$(say("The gateway's agents can use the board now."))
          }}
        />
      )}
      {asked.value === "remove" && (
        <ConfirmDialog
          title={say("Remove the board from the gateway?")}
          confirmLabel={say("Remove")}
          danger
          onCancel$={() => {
            asked.value = null
          }}
          onConfirm$={async () => {
            const removed = await props.store.remove()
            problem.value = removed.ok ? null : removed.message
            if (!removed.ok) return
            asked.value = null
            await props.onSaid$(say("The gateway's agents can no longer use the board."))
          }}
        >
          <p>
            {say(
              "The server agent-console is removed from the gateway's configuration, and its token is revoked. What the agents did stays."
            )}
          </p>
          {problem.value !== null && <p role="alert">{problem.value}</p>}
        </ConfirmDialog>
      )}
    </section>
  )
})
