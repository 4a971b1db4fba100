import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { Segmented } from "../ui/Segmented.tsx"

const CHOICES = [
  { value: "system", label: say("Match device"), icon: "monitor" },
  { value: "light", label: say("Light"), icon: "sun" },
  { value: "dark", label: say("Dark"), icon: "moon" }
] as const

/** Chooses between the device's colours, light and dark. */
export const ThemeSwitch = component$(() => {
  const { settings } = useServices().client
  const state = useReadable(settings.state)
  return (
    <Segmented
      label={say("Colours")}
      value={state.value.theme}
      options={CHOICES}
      onChange$={(chosen) => {
        const choice = CHOICES.find(({ value }) => value === chosen)
        if (choice !== undefined) settings.update({ theme: choice.value })
      }}
    />
  )
})
