const HIDDEN_OR_CODED = /(?:^|\/)\.|\.(?:br|gz)$/

/**
 * The path of a file below the web root that a request path may name, or undefined where it can name none: no climbing,
 * no hidden files, none of the compressed twins, no characters a built file never has (D18).
 */
export const assetPath = (requestPath: string): string | undefined => {
  const name = requestPath.slice(1)
  if (name === "" || name.length > 512 || !/^[\w.~!@+/-]+$/.test(name)) return undefined
  return HIDDEN_OR_CODED.test(name) || name.includes("//") || name.endsWith("/") ? undefined : name
}

/** Whether the path is below the folder whose file names carry a hash of their content. */
export const isHashedAsset = (requestPath: string): boolean => requestPath.startsWith("/assets/")
