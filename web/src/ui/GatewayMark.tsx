import { component$ } from "@builder.io/qwik"
import type { GatewayMark as Mark } from "../core/gateways/gatewayMark.ts"

/** The letter and colour of a gateway, beside what belongs to it. */
export const GatewayMark = component$<{ readonly mark: Mark }>((props) => {
  const { colour, letter, name } = props.mark
  return (
    <span class={["gateway-mark", `is-${colour}`]} title={name}>
      <span aria-hidden="true">{letter}</span>
      <span class="visually-hidden">{name}</span>
    </span>
  )
})
