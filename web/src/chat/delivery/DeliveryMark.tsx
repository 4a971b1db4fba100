import { component$ } from "@builder.io/qwik"
import type { UserItem } from "../../core/conversation/chatTypes.ts"
import { Icon } from "../../ui/Icon.tsx"
import { deliveryMark } from "./deliveryText.ts"

/** How far a message has come: no tick on its way to the console, one when that keeps it, two when the agent has it. */
export const DeliveryMark = component$<{ readonly item: UserItem }>((props) => {
  const mark = deliveryMark(props.item)
  if (mark === null) return null
  const { isQuiet, text, ticks } = mark
  return (
    <span class={["delivery-mark", isQuiet && "is-read"]} title={text}>
      {ticks > 0 && (
        <span class="delivery-ticks" aria-hidden="true">
          <Icon name="check" />
          {ticks === 2 && <Icon name="check" />}
        </span>
      )}
      <span class={isQuiet ? "visually-hidden" : ""}>{text}</span>
    </span>
  )
})
