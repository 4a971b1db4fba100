import { $, component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import { type NotificationRight, notificationRight } from "../attention/notificationRight.ts"
import { playSignal } from "../attention/playSignal.ts"
import { Switch } from "../ui/Switch.tsx"

const WHY_NOT: Readonly<Record<NotificationRight, string | null>> = {
  granted: null,
  askable: null,
  denied:
    "This browser blocks notifications of this address. Allow them in its settings for this site, then come back.",
  insecure: "Browsers show notifications only over HTTPS or at localhost. Open the console that way to use them.",
  missing: "This browser has no notifications. On an iPhone or iPad, add the console to the home screen first."
}

/** Whether an agent that finishes or asks may call. */
export const NotificationSettings = component$(() => {
  const app = useServices()
  const settings = useReadable(app.console.settings.state)
  const right = useSignal<NotificationRight>(() => notificationRight())

  useVisibleTask$(
    ({ cleanup }) => {
      const look = () => {
        right.value = notificationRight()
      }
      document.addEventListener("visibilitychange", look)
      cleanup(() => document.removeEventListener("visibilitychange", look))
    },
    { strategy: "document-ready" }
  )

  const change = $(async (on: boolean) => {
    if (on && right.value === "askable") await Notification.requestPermission()
    right.value = notificationRight()
    app.console.settings.update({ notifications: on && right.value === "granted" ? "on" : "off" })
  })

  const on = settings.value.notifications === "on" && right.value === "granted"
  const why = WHY_NOT[right.value]
  return (
    <div class="settings-page">
      <Switch
        label="Notify me"
        hint="When an agent finishes, fails or asks, while the console is out of sight or shows another session. Not when you stopped it yourself."
        checked={on}
        disabled={why !== null}
        onChange$={change}
      />
      {why !== null && (
        <p class="settings-note is-warning" role="status">
          {why}
        </p>
      )}
      <Switch
        label="Play a sound"
        hint="A short one, on the same occasions."
        checked={settings.value.sound === "on"}
        onChange$={(sound) => {
          app.console.settings.update({ sound: sound ? "on" : "off" })
          if (sound) playSignal()
        }}
      />
    </div>
  )
})
