import { component$, type QRL, useSignal } from "@builder.io/qwik"
import { type AgentRight, USUAL_RIGHTS } from "../../../src/contract/agentRights.ts"
import type { GatewayAgentsStore } from "../core/agents/GatewayAgentsStore.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Field } from "../ui/Field.tsx"
import { AgentRightChoice } from "./AgentRightChoice.tsx"

interface AddGatewayAgentsProps {
  readonly store: GatewayAgentsStore
  /** A proposal for where the gateway reaches this console. */
  readonly address: string
  readonly onClose$: QRL<(added: boolean) => void>
}

/** Asks before the console becomes a server in the gateway's configuration. */
export const AddGatewayAgents = component$<AddGatewayAgentsProps>((props) => {
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
      <div class="agent-form">
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
