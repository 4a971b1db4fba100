import { component$ } from "@builder.io/qwik"
import type { ThinkingItem } from "../core/chatTypes.ts"
import { Icon } from "../ui/Icon.tsx"

/** What the agent thought, closed until opened. */
export const ThinkingBlock = component$<{ readonly item: ThinkingItem }>((props) => (
  <details class="disclosure is-thinking">
    <summary>
      <Icon name="chevron-right" />
      <Icon name="brain" />
      <span>{props.item.streaming ? "Thinking…" : "Thought"}</span>
      {props.item.streaming && <span class="spinner" aria-hidden="true" />}
    </summary>
    <p class="thinking-text">{props.item.text}</p>
  </details>
))
