import { component$ } from "@builder.io/qwik"
import "./states.css"

/** Stands where something is on its way; appears only after a moment, so that fast answers do not flicker. */
export const LoadingState = component$<{ readonly label: string }>((props) => (
  <div class="state is-loading" role="status">
    <span class="spinner" aria-hidden="true" />
    <p>{props.label}</p>
  </div>
))
