import { pageLocale } from "../language/pageLocale.ts"
import { say } from "../language/say.ts"

const UNITS = [
  (size: string) => say("{size} B", { size }),
  (size: string) => say("{size} KB", { size }),
  (size: string) => say("{size} MB", { size }),
  (size: string) => say("{size} GB", { size })
]

/** A number of bytes for people, such as "3.4 KB". */
export const byteText = (bytes: number): string => {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  const value = bytes / 1024 ** step
  const digits = step === 0 || value >= 100 ? 0 : 1
  const format = new Intl.NumberFormat(pageLocale, {
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits
  })
  return UNITS[step]?.(format.format(value)) ?? ""
}
