import { Result } from "effect"
import { FileRefused } from "./fileErrors.ts"

/** How far a file is searched for NUL bytes (D54). */
const SNIFFED_BYTES = 8 * 1024

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text of a file with every byte kept, a byte order mark too; refused where it is binary (D54). */
export const decodeText = (bytes: Uint8Array): Result.Result<string, FileRefused> => {
  const binary = new FileRefused({ message: "path: is a binary file; download it instead" })
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return Result.fail(binary)
  return Result.try({ try: () => decoder.decode(bytes), catch: () => binary })
}
