const HIDDEN_OR_CODED = /(?:^|\/)\.|\.(?:br|gz)$/

/**
 * The file below the web root that a request path names, or undefined if it isn't a valid one: no climbing, no hidden
 * files, no compressed versions, no characters that built files never have.
 */
export const assetPath = (requestPath: string): string | undefined => {
  const name = requestPath.slice(1)
  if (name === "" || name.length > 512 || !/^[\w.~!@+/-]+$/.test(name)) return undefined
  return HIDDEN_OR_CODED.test(name) || name.includes("//") || name.endsWith("/") ? undefined : name
}

/** Whether the path is in the folder of content-hashed file names. */
export const isHashedAsset = (requestPath: string): boolean => requestPath.startsWith("/assets/")
