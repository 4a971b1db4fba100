import { component$ } from "@builder.io/qwik"
import audioLines from "lucide-static/icons/audio-lines.svg?raw"
import check from "lucide-static/icons/check.svg?raw"
import ear from "lucide-static/icons/ear.svg?raw"
import mic from "lucide-static/icons/mic.svg?raw"
import volumeX from "lucide-static/icons/volume-x.svg?raw"
import x from "lucide-static/icons/x.svg?raw"

const RAW = { "audio-lines": audioLines, check, ear, mic, "volume-x": volumeX, x } as const

const shapes = (raw: string) => raw.slice(raw.indexOf(">", raw.indexOf("<svg")) + 1, raw.lastIndexOf("</svg>"))

/** A decorative line icon of the voice part, which the first screen does without. */
export const VoiceIcon = component$<{ readonly name: keyof typeof RAW }>((props) => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    dangerouslySetInnerHTML={shapes(RAW[props.name])}
  />
))
