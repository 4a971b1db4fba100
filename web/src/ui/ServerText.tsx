import { component$, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { asSentence } from "../core/common/asSentence.ts"
import { inPageLanguage } from "../core/link/inPageLanguage.ts"

/** What the console's server says, as a sentence, in the page's language as soon as that's there. */
export const ServerText = component$<{ readonly text: string }>((props) => {
  const said = useSignal(props.text)
  useBrowserTask$(({ cleanup, track }) => {
    const text = track(() => props.text)
    let isOver = false
    cleanup(() => {
      isOver = true
    })
    said.value = text
    void inPageLanguage(text).then((words) => {
      if (!isOver) said.value = words
    })
  })
  return <>{asSentence(said.value)}</>
})
