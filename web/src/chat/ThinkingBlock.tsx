import { component$ } from "@builder.io/qwik"
import type { ThinkingItem } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"

/** The agent's thoughts, closed until opened. */
export const ThinkingBlock = component$<{ readonly item: ThinkingItem }>((props) => (
  <details class="disclosure is-thinking">
    <summary>
      <Icon name="chevron-right" />
      <Icon name="brain" />
      <span>{props.item.streaming ? say("Thinking…") : say("Thoughts")}</span>
      {props.item.streaming && <span class="spinner" aria-hidden="true" />}
    </summary>
    <p class="thinking-text">{props.item.text}</p>
  </details>
))
