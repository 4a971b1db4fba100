import { component$ } from "@builder.io/qwik"
import { CopyButton } from "./CopyButton.tsx"

/** A command for a terminal, ready to be copied; `label` names the button. */
export const CommandLine = component$<{ readonly command: string; readonly label: string }>((props) => (
  <p class="row gap-2 command-line">
    <code>{props.command}</code>
    <CopyButton text={props.command} label={props.label} />
  </p>
))
