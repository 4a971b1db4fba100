const two = (value: number): string => String(value).padStart(2, "0")

/** A moment as the value of a date-and-time field, where the reader is; empty for none. */
export const startValue = (at: number | null): string => {
  if (at === null) return ""
  const date = new Date(at)
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The moment of such a field; null while it isn't whole. */
export const startOfValue = (value: string): number | null => {
  const at = new Date(value).getTime()
  return value === "" || !Number.isFinite(at) || at < 0 ? null : at
}
