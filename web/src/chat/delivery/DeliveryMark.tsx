import { component$ } from "@builder.io/qwik"
import type { UserItem } from "../../core/conversation/chatTypes.ts"
import { Icon } from "../../ui/Icon.tsx"
import { deliveryMark } from "./deliveryText.ts"

/** How far a message has come: no tick on its way to the console, one when that keeps it, two when the agent has it. */
export const DeliveryMark = component$<{ readonly item: UserItem }>((props) => {
  const mark = deliveryMark(props.item)
  if (mark === null) return null
  const { text, ticks } = mark
  return (
    <span class={["delivery-ticks", props.item.isHanded !== true && ticks === 2 && "is-read"]} title={text}>
      <Icon name={ticks === 0 ? "hourglass" : "check"} />
      {ticks === 2 && <Icon name="check" />}
      <span class="visually-hidden">{text}</span>
    </span>
  )
})
