import { $, component$ } from "@builder.io/qwik"
import { Dialog } from "../ui/Dialog.tsx"
import { chatRequest } from "./chatRequest.ts"
import "./lightbox.css"
import { say } from "../core/language/say.ts"

/** A picture of the conversation at its full size. */
export const Lightbox = component$<{ readonly src: string; readonly alt: string }>((props) => {
  const close = $(() => chatRequest.set(null))
  return (
    <Dialog title={props.alt === "" ? say("Picture") : props.alt} size="large" onClose$={close}>
      <img class="lightbox" src={props.src} alt={props.alt} />
      <a q:slot="foot" class="button" href={props.src} download={props.alt === "" ? "picture" : props.alt}>
        {say("Save")}
      </a>
    </Dialog>
  )
})
