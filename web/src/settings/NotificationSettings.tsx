import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { type NotificationRight, notificationRight, playSignal, testAttention } from "../base/callAttention.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { OBSTACLES } from "../core/push/pushTypes.ts"
import { Switch } from "../ui/Switch.tsx"
import { PushSettings } from "./PushSettings.tsx"

const WHY_NOT: Readonly<Record<NotificationRight, string | null>> = {
  granted: null,
  askable: null,
  denied: OBSTACLES.denied,
  insecure: OBSTACLES.insecure,
  missing: say(
    "This browser doesn't support notifications. On an iPhone or iPad, add the console to the Home Screen first."
  )
}

/** Whether to notify when an agent finishes or asks something. */
export const NotificationSettings = component$(() => {
  const app = useServices()
  const settings = useReadable(app.client.settings.state)
  const right = useSignal<NotificationRight>(() => notificationRight())

  useBrowserTask$(({ cleanup }) => {
    const look = () => {
      right.value = notificationRight()
    }
    document.addEventListener("visibilitychange", look)
    cleanup(() => document.removeEventListener("visibilitychange", look))
  })

  const change = $(async (on: boolean) => {
    if (on && right.value === "askable") await Notification.requestPermission()
    right.value = notificationRight()
    app.client.settings.update({ notifications: on && right.value === "granted" ? "on" : "off" })
  })

  const on = settings.value.notifications === "on" && right.value === "granted"
  const why = WHY_NOT[right.value]
  return (
    <div class="settings-page">
      <div class="settings-group">
        <Switch
          label={say("Notify me")}
          hint={say(
            "When an agent finishes, fails or asks something while the console is in the background or shows another session. Not when you stop it yourself."
          )}
          checked={on}
          disabled={why !== null}
          onChange$={change}
        />
        <Switch
          label={say("Play a sound")}
          hint={say("A short sound with each notification.")}
          checked={settings.value.sound === "on"}
          onChange$={(sound) => {
            app.client.settings.update({ sound: sound ? "on" : "off" })
            if (sound) playSignal()
          }}
        />
        <div class="row wrap space-between gap-3">
          <p class="soft small">{say("See and hear what you'd get.")}</p>
          <button
            type="button"
            class="button is-small"
            disabled={!on && settings.value.sound !== "on"}
            onClick$={() => testAttention(app)}
          >
            {say("Send a test")}
          </button>
        </div>
      </div>
      {why !== null && (
        <p class="settings-note is-warning" role="status">
          {why}
        </p>
      )}
      <PushSettings saidAbove={why} />
    </div>
  )
})
