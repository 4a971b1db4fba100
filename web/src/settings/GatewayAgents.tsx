import { component$, type QRL, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import type { GatewayAgentsRow, GatewayAgentsStore } from "../core/agents/GatewayAgentsStore.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { AddGatewayAgents } from "./AddGatewayAgents.tsx"

interface GatewayAgentsProps {
  readonly store: GatewayAgentsStore
  /** Told after every change. */
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
    <section class="agent-gateway" aria-labelledby="agent-gateway-title">
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
