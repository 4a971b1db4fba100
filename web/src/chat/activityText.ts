import type { Activity, ChatState } from "../core/chatTypes.ts"

const LABELS: Readonly<Record<Activity, string>> = {
  THINKING: "Thinking",
  STREAMING: "Writing",
  DONE: "Done",
  IDLE: ""
}

/** What the agent does now, in a word; empty while it rests (SPEC "Agent activity state in the UI"). */
export const activityLabel = (state: Pick<ChatState, "activity" | "aborting" | "phase">): string => {
  if (state.aborting) return "Stopping"
  if (state.activity === "THINKING" && state.phase !== null) return sentence(state.phase)
  return LABELS[state.activity]
}

/** The gateway's `starting_model` as `Starting model`. */
const sentence = (phase: string): string => {
  const words = phase.replaceAll("_", " ").trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
