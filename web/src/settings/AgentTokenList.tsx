import { component$, type QRL, useSignal } from "@builder.io/qwik"
import { useCommands } from "../base/useCommands.ts"
import { type AgentTokenRow, type AgentTokenStore, RIGHT_TEXTS } from "../core/agents/AgentTokenStore.ts"
import { listText } from "../core/common/phrases.ts"
import { fullTime, relativeTime } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { useNow } from "../ui/useNow.ts"

interface AgentTokenListProps {
  readonly store: AgentTokenStore
  readonly tokens: ReadonlyArray<AgentTokenRow>
  readonly onSaid$: QRL<(text: string) => void>
}

/** The agents with a token, and the way to take it back. */
export const AgentTokenList = component$<AgentTokenListProps>((props) => {
  const now = useNow(60_000)
  const asked = useSignal<AgentTokenRow | null>(null)
  useCommands(() =>
    props.tokens.map((token) => ({
      id: `agents.revoke ${token.id}`,
      label: say("Revoke the token of {name}", { name: token.name }),
      group: say("Agents"),
      run: () => {
        asked.value = token
      }
    }))
  )
  const wanted = asked.value
  return (
    <div class="agent-list">
      {props.tokens.length > 0 && <h2>{say("Agents")}</h2>}
      <ul class="settings-list" aria-label={say("Agents with a token")}>
        {props.tokens.map((token) => (
          <li key={token.id} class="settings-row">
            <div class="settings-row-text">
              <p>{token.name}</p>
              <p class="field-hint">{listText(token.rights.map((right) => RIGHT_TEXTS[right].label))}</p>
              <p class="field-hint" title={token.lastUsedAt === null ? "" : fullTime(token.lastUsedAt)}>
                {token.lastUsedAt === null
                  ? say("Not used yet")
                  : say("Last used {when}", { when: relativeTime(token.lastUsedAt, now.value) })}
              </p>
            </div>
            <button
              type="button"
              class="button is-small"
              aria-label={say("Revoke the token of {name}", { name: token.name })}
              onClick$={() => {
                asked.value = token
              }}
            >
              {say("Revoke")}
            </button>
          </li>
        ))}
      </ul>
      {wanted !== null && (
        <ConfirmDialog
          title={say("Revoke the token of {name}?", { name: wanted.name })}
          confirmLabel={say("Revoke")}
          danger
          onCancel$={() => {
            asked.value = null
          }}
          onConfirm$={async () => {
            const { id, name } = wanted
            const revoked = await props.store.revoke(id)
            asked.value = null
            await props.onSaid$(revoked.ok ? say("{name} can no longer use the console.", { name }) : revoked.message)
          }}
        >
          <p>{say("The agent can't use the console from now on. What it did stays.")}</p>
        </ConfirmDialog>
      )}
    </div>
  )
})
