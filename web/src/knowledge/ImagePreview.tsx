import { component$, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { byteText } from "../core/common/numberText.ts"
import { imageType } from "../core/knowledge/fileKinds.ts"
import { nameOf } from "../core/knowledge/fileNodes.ts"
import { say } from "../core/language/say.ts"
import { isForeign } from "../core/link/ApiClient.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { downloadPath } from "./fileActions.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

interface ImagePreviewProps {
  readonly path: string
  /** A new number whenever the file changes. */
  readonly changes: number
}

/** A picture in the workspace; drawn as an image, so scripts in it never run. */
export const ImagePreview = component$<ImagePreviewProps>((props) => {
  const knowledge = useKnowledge()
  const picture = useSignal<{ readonly url: string; readonly bytes: number } | null>(null)
  const size = useSignal("")
  const failed = useSignal(false)
  const tries = useSignal(0)

  useBrowserTask$(({ track, cleanup }) => {
    const path = track(() => props.path)
    track(() => props.changes)
    track(() => tries.value)
    const stop = new AbortController()
    let url = ""
    failed.value = false
    fetch(downloadPath(knowledge.agent, path), { signal: stop.signal })
      .then(async (response) => {
        if (!response.ok || isForeign(response)) throw new Error(String(response.status))
        const bytes = await response.arrayBuffer()
        url = URL.createObjectURL(new Blob([bytes], { type: imageType(nameOf(path)) ?? "image/png" }))
        picture.value = { url, bytes: bytes.byteLength }
      })
      .catch(() => {
        failed.value = !stop.signal.aborted
      })
    cleanup(() => {
      stop.abort()
      if (url !== "") URL.revokeObjectURL(url)
    })
  })

  const name = nameOf(props.path)
  if (failed.value) {
    return (
      <ErrorState
        title={say("Can't show this picture")}
        text={say("It may be damaged or deleted.")}
        onRetry$={() => {
          tries.value++
        }}
      />
    )
  }
  if (picture.value === null) return <LoadingState label={say("Loading the picture…")} />
  return (
    <figure class="image-preview">
      <img
        src={picture.value.url}
        alt={name}
        width={0}
        height={0}
        onLoad$={(_, image) => {
          size.value = `${image.naturalWidth} × ${image.naturalHeight}`
        }}
        onError$={() => {
          failed.value = true
        }}
      />
      <figcaption>{[size.value, byteText(picture.value.bytes)].filter((part) => part !== "").join(" · ")}</figcaption>
    </figure>
  )
})
