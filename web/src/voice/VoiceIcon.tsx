import { component$ } from "@builder.io/qwik"
import audioLines from "../../icons/audio-lines.svg?shapes"
import check from "../../icons/check.svg?shapes"
import ear from "../../icons/ear.svg?shapes"
import mic from "../../icons/mic.svg?shapes"
import volumeX from "../../icons/volume-x.svg?shapes"
import x from "../../icons/x.svg?shapes"
import { LineIcon } from "../ui/Icon.tsx"

const SHAPES = { "audio-lines": audioLines, check, ear, mic, "volume-x": volumeX, x } as const

/** A decorative line icon of the voice part, kept out of the first screen. */
export const VoiceIcon = component$<{ readonly name: keyof typeof SHAPES }>((props) => {
  const shapes = SHAPES[props.name]
  return <LineIcon shapes={shapes} />
})
