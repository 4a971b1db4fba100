import { type Component, component$ } from "@builder.io/qwik"
import { LOADS_LATER } from "../base/followPart.ts"
import { usePart } from "../base/usePart.ts"
import { say } from "../core/language/say.ts"
import { ErrorState } from "./ErrorState.tsx"
import { LoadingState } from "./LoadingState.tsx"

/** A part of a screen with its own chunk; `load` stays the same for the life of the part. */
export const LazyPart = component$<{ readonly load: () => Promise<Component> }>((props) => {
  const arriving = usePart(async () => ({ Part: await props.load() }))
  const { part, failed } = arriving.value
  if (failed) return <ErrorState title={say("Couldn't load this")} text={LOADS_LATER} />
  return part === null ? <LoadingState label={say("Loading…")} /> : <part.Part />
})
