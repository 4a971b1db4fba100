declare const __PACKAGE_NAME__: string
declare const __PACKAGE_VERSION__: string

/** Name and semantic version from the package metadata, fixed at build time. */
export const packageInfo = { name: __PACKAGE_NAME__, version: __PACKAGE_VERSION__ } as const
