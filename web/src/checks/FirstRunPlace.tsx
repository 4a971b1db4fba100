import { component$ } from "@builder.io/qwik"
import { usePart } from "../base/usePart.ts"
import "./firstRun.css"

/** Reserves space for the first-run checklist, so that nothing moves when it loads. */
export const FirstRunPlace = component$(() => {
  const arriving = usePart(() => import("./FirstRun.tsx"))
  const { part } = arriving.value
  return <div class="first-run-place">{part !== null && <part.FirstRun />}</div>
})
