/** Content codings the web build writes next to its files. */
export type Coding = "br" | "gzip"

const PREFERRED: ReadonlyArray<Coding> = ["br", "gzip"]

/** The codings a client accepts by its Accept-Encoding header, best first (RFC 9110 §12.5.3). */
export const acceptedCodings = (header: string | undefined): ReadonlyArray<Coding> => {
  if (header === undefined || header === "") return []
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith("q="))
    weights.set(name === "x-gzip" ? "gzip" : name, quality === undefined ? 1 : Number(quality.slice(2)))
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get("*") ?? 0
  return PREFERRED.filter((coding) => weightOf(coding) > 0).sort((left, right) => weightOf(right) - weightOf(left))
}

/** Whether an If-None-Match header contains the entity tag, by weak comparison (RFC 9110 §13.1.2). */
export const matchesEtag = (header: string | undefined, etag: string): boolean => {
  if (header === undefined) return false
  if (header.trim() === "*") return true
  return header.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag)
}
