import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { lastingStorage } from "../core/link/browserEnvironment.ts"
import { createPushStore } from "../core/push/PushStore.ts"
import { browserName, pageBrowserPush } from "../core/push/pageBrowserPush.ts"
import { OBSTACLES, type PushDevice, type PushObstacle } from "../core/push/pushTypes.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { Switch } from "../ui/Switch.tsx"
import { PushDeviceChoices } from "./PushDeviceChoices.tsx"
import { PushDeviceList } from "./PushDeviceList.tsx"
import "./pushSettings.css"
import { say } from "../core/language/say.ts"

/** A call, because a property of a property would be bound once. */
const idOf = (device: PushDevice | null): string | null => device?.id ?? null

/** Notifications while no page is open: this device's, and which devices get any. */
export const PushSettings = component$(() => {
  const app = useServices()
  const push = useConstant(() => createPushStore(app.client.api, pageBrowserPush, lastingStorage()))
  const state = useReadable(push.state)
  const obstacle = useSignal<PushObstacle | null>(() => pageBrowserPush.obstacle())
  /** What the person has just chosen, until it's done or has failed. */
  const wanted = useSignal<boolean | null>(null)
  const problem = useSignal<string | null>(null)

  useBrowserTask$(({ cleanup }) => {
    const look = () => {
      obstacle.value = pageBrowserPush.obstacle()
    }
    void push.load()
    document.addEventListener("visibilitychange", look)
    cleanup(() => document.removeEventListener("visibilitychange", look))
  })

  const change = $(async (on: boolean) => {
    wanted.value = on
    problem.value = null
    const result = on ? await push.switchOn(browserName(navigator.userAgent)) : await push.switchOff()
    obstacle.value = pageBrowserPush.obstacle()
    problem.value = result.ok ? null : result.message
    wanted.value = null
  })

  const { devices, message, mine, status } = state.value
  const why = obstacle.value === null ? problem.value : OBSTACLES[obstacle.value]
  return (
    <section class="push" aria-labelledby="push-title">
      <h2 id="push-title">{say("While the console is closed")}</h2>
      {status === "loading" && <LoadingState label={say("Loading devices…")} />}
      {status === "failed" && (
        <ErrorState
          title={say("Couldn't load the devices")}
          text={message ?? say("Try again.")}
          onRetry$={() => push.load()}
        />
      )}
      {status === "ready" && (
        <>
          <div class="settings-group">
            <Switch
              label={say("Notify this device")}
              hint={say(
                "When an agent needs your permission or your answer, and when something else waits for you, also while no page is open."
              )}
              checked={wanted.value ?? mine !== null}
              disabled={wanted.value !== null || (mine === null && obstacle.value !== null)}
              onChange$={change}
            />
          </div>
          <p
            class={["settings-note", why !== null && "is-warning"]}
            role="status"
            hidden={why === null && wanted.value === null}
          >
            {why ?? (wanted.value === false ? say("Switching off…") : say("Asking the browser…"))}
          </p>
          {mine !== null && <PushDeviceChoices key={idOf(mine)} push={push} device={mine} />}
          <PushDeviceList push={push} devices={devices} mine={idOf(mine)} />
        </>
      )}
    </section>
  )
})
