import { component$ } from "@builder.io/qwik"
import { keyCaps } from "../../core/commands/Shortcuts.ts"

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)

/** A shortcut's keys as key caps. */
export const Keys = component$<{ readonly keys: string }>((props) => (
  <span class="keys">
    {keyCaps(props.keys, isMac()).map((caps, index) => (
      <span key={index} class="keys-stroke">
        {caps.map((cap) => (
          <kbd key={cap}>{cap}</kbd>
        ))}
      </span>
    ))}
  </span>
))
