/** The id of a command that is asked for. */
export const ID = "11111111-1111-4111-8111-111111111111"

export const question = { role: "user", content: "Clean up." }
export const answer = (text: string) => ({
  role: "assistant",
  content: [{ type: "text", text }],
  stopReason: "stop"
})

/** What an older gateway answers to its agent's command while a person is asked. */
export const asks = (command: string, id = ID, timestamp = 0) => {
  const fence = command.includes("```") ? "````" : "```"
  const text = [
    `Approval required (id ${id.slice(0, 8)}, full ${id}).`,
    "Host: gateway",
    "CWD: /work",
    "Command:",
    `${fence}sh\n${command}\n${fence}`,
    "Mode: foreground (interactive approvals available)."
  ].join("\n")
  return { role: "toolResult", content: [{ type: "text", text }], timestamp }
}

/** The message to the agent afterwards, in a turn of its own. */
export const follows = (outcome: "finished" | "denied", detail: string, id = ID) => ({
  role: "user",
  content: [
    {
      type: "text",
      text: [
        "An async command the user already approved has completed.",
        "Do not run the command again.",
        "",
        "Exact completion details:",
        outcome === "finished"
          ? `Exec finished (gateway id=${id}, session=tidal-reef, ${detail})\nout`
          : `Exec denied (gateway id=${id}, ${detail}): rm -r old`,
        "",
        "Reply to the user in a helpful way."
      ].join("\n")
    }
  ]
})
