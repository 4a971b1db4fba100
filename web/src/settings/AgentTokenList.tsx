import { component$, type QRL, useSignal } from "@builder.io/qwik"
import type { AgentTokenStore } from "../core/agents/AgentTokenStore.ts"
import { type AgentTokenRow, RIGHT_TEXTS } from "../core/agents/agentTokenTypes.ts"
import { fullTime, relativeTime } from "../core/common/timeText.ts"
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
  const wanted = asked.value
  return (
    <div class="agent-list">
      {props.tokens.length > 0 && <h2>Agents</h2>}
      <ul class="settings-list" aria-label="Agents with a token">
        {props.tokens.map((token) => (
          <li key={token.id} class="settings-row">
            <div class="settings-row-text">
              <p>{token.name}</p>
              <p class="field-hint">{token.rights.map((right) => RIGHT_TEXTS[right].label).join(", ")}</p>
              <p class="field-hint" title={token.lastUsedAt === null ? "" : fullTime(token.lastUsedAt)}>
                {token.lastUsedAt === null ? "Not used yet" : `Last used ${relativeTime(token.lastUsedAt, now.value)}`}
              </p>
            </div>
            <button
              type="button"
              class="button is-small"
              aria-label={`Revoke the token of ${token.name}`}
              onClick$={() => {
                asked.value = token
              }}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
      {wanted !== null && (
        <ConfirmDialog
          title={`Revoke the token of ${wanted.name}?`}
          confirmLabel="Revoke"
          danger
          onCancel$={() => {
            asked.value = null
          }}
          onConfirm$={async () => {
            const { id, name } = wanted
            const revoked = await props.store.revoke(id)
            asked.value = null
            await props.onSaid$(revoked.ok ? `${name} can no longer use the console.` : revoked.message)
          }}
        >
          <p>The agent can't use the console from now on. What it did stays.</p>
        </ConfirmDialog>
      )}
    </div>
  )
})
