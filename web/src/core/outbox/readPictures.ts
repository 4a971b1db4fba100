import type { ActionResult } from "../common/readable.ts"
import { say } from "../language/say.ts"
import type { Environment, OutgoingImage } from "../link/Environment.ts"
import { isForeign } from "../link/foreignAnswer.ts"
import { pathOf } from "./HandOver.ts"
import type { OutboxMessage } from "./outboxMessage.ts"

const base64 = (bytes: Uint8Array): string => {
  let text = ""
  // As many characters as a call takes arguments at once.
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}

/** Reads what comes with a message from the console: it was attached on another page. */
export async function readPictures(
  { fetch, origin }: Pick<Environment, "fetch" | "origin">,
  id: string,
  files: OutboxMessage["files"]
): Promise<ActionResult<ReadonlyArray<OutgoingImage>>> {
  const images: Array<OutgoingImage> = []
  try {
    for (const [index, { name, type }] of files.entries()) {
      const response = await fetch(`${origin}${pathOf(id)}/attachments/${index}`, { credentials: "same-origin" })
      // A sign-in page in between must not go to the agent as the picture.
      if (!response.ok || isForeign(response)) throw new Error("not there")
      images.push({ fileName: name, mimeType: type, content: base64(new Uint8Array(await response.arrayBuffer())) })
    }
    return { ok: true, value: images }
  } catch {
    return {
      ok: false,
      message: say("Couldn't read the pictures of this message, so it stays where it is. Try again.")
    }
  }
}
