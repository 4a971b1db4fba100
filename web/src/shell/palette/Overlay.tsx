import { $, component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { useReadable } from "../../base/useReadable.ts"
import { say } from "../../core/language/say.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Keys } from "./Keys.tsx"
import { Palette } from "./Palette.tsx"
import { shortcutGroups } from "./shortcutGroups.ts"
import "./palette.css"

/** Every available shortcut, grouped by where it works. */
const ShortcutSheet = component$(() => {
  const app = useServices()
  const groups = useConstant(() => shortcutGroups(app.commands.available(), app.client.settings.state.get().sendKey))
  const close = $(() => app.overlay.set(null))
  return (
    <Dialog title={say("Keyboard shortcuts")} size="large" onClose$={close}>
      {/* Without anything to press in it, only the focus lets the keyboard scroll it. */}
      <div class="shortcuts" role="group" aria-label={say("Shortcuts")} tabIndex={0}>
        {groups.map(({ name, commands }) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {commands.map((command) => (
                <div key={command.id} class="shortcut">
                  <dt>{command.label}</dt>
                  <dd>
                    <Keys keys={command.keys ?? ""} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
})

/** What is shown over the screen. */
export const Overlay = component$(() => {
  const shown = useReadable(useServices().overlay)
  return shown.value === "palette" ? <Palette /> : shown.value === "shortcuts" ? <ShortcutSheet /> : null
})
