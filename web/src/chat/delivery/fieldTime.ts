const two = (value: number): string => String(value).padStart(2, "0")

/** A time as a `datetime-local` field has it: in this browser's time zone, to the minute, rounded up. */
export const fieldTime = (at: number): string => {
  const time = new Date(Math.ceil(at / 60_000) * 60_000)
  const day = `${String(time.getFullYear()).padStart(4, "0")}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`
}

/** Epoch milliseconds of such a field; null while it's empty or incomplete. */
export const timeInField = (value: string): number | null => {
  // Without a time zone a date with a time is local.
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isFinite(at) ? at : null
}
