import { imageAddress } from "../../../../src/contract/safeAddress.ts"
import { below } from "../common/basePath.ts"

/** The address an image may be loaded from; null if there's none. */
export function safeImage(src: string, agent?: string): string | null {
  const address = imageAddress(src, agent)
  return address?.startsWith("/") === true ? below(address) : address
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Text that is safe between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
