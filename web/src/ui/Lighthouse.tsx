/** What its lamp says: nothing is connected, all is quiet, an agent works, something waits for a person. */
export type LampState = "dark" | "calm" | "lit" | "blinking"

/** The mark of the product, whose lamp shows how things are. */
export const Lighthouse = (props: { readonly state: LampState }) => (
  <svg class={["lighthouse", `is-${props.state}`]} viewBox="0 0 64 64" aria-hidden="true">
    <rect class="lighthouse-night" width="64" height="64" rx="16" />
    <path class="lighthouse-beam" d="M27 20 3 11v18zM37 20l24-9v18z" />
    <path class="lighthouse-wall" d="M27 28h10l4.5 27h-19zM22 25h20v4H22zM25 15.5 32 8l7 7.5z" />
    <path class="lighthouse-night" d="M25.6 37h12.8l1.2 7H24.4z" />
    <path class="lighthouse-lamp" d="M27.5 15.5h9V25h-9z" />
  </svg>
)
