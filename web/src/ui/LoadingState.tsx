import { component$ } from "@builder.io/qwik"

/** Shown while something is loading; appears only after a moment, so that fast responses don't flicker. */
export const LoadingState = component$<{ readonly label: string }>((props) => (
  <div class="state is-loading" role="status">
    <span class="spinner" aria-hidden="true" />
    <p>{props.label}</p>
  </div>
))
