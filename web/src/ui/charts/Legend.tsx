import { component$ } from "@builder.io/qwik"

/** Names beside the colours of a plot. */
export const Legend = component$<{ readonly names: ReadonlyArray<string> }>((props) => (
  <ul class="plain-list legend">
    {props.names.map((name, index) => (
      <li key={`name-${index}`} class={`tone-${index % 6}`}>
        <span class="legend-mark" aria-hidden="true" />
        <span>{name}</span>
      </li>
    ))}
  </ul>
))
