import { $, component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Keys } from "./Keys.tsx"
import { shortcutGroups } from "./shortcutGroups.ts"
import "./palette.css"

/** Every shortcut there is now, by where it holds. */
export const ShortcutSheet = component$(() => {
  const app = useServices()
  const groups = useConstant(() => shortcutGroups(app.commands.available(), app.console.settings.state.get().sendKey))
  const close = $(() => app.overlay.set(null))
  return (
    <Dialog title="Keyboard shortcuts" size="large" onClose$={close}>
      <div class="shortcuts">
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
