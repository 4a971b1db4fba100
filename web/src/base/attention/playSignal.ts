/** Two rising notes in hertz, and the length of each in seconds. */
const NOTES = [660, 880]
const LENGTH = 0.12
const VOLUME = 0.12

let context: AudioContext | null = null

/** Plays a short sound; nothing if the browser doesn't allow sound before the page was touched. */
export const playSignal = (): void => {
  context ??= new AudioContext()
  const { currentTime, destination } = context
  for (const [index, hertz] of NOTES.entries()) {
    const from = currentTime + index * LENGTH
    const tone = new OscillatorNode(context, { frequency: hertz })
    const volume = new GainNode(context, { gain: 0 })
    volume.gain.setValueAtTime(0, from)
    volume.gain.linearRampToValueAtTime(VOLUME, from + 0.01)
    volume.gain.linearRampToValueAtTime(0, from + LENGTH)
    tone.connect(volume).connect(destination)
    tone.start(from)
    tone.stop(from + LENGTH)
  }
  void context.resume().catch(() => {})
}
