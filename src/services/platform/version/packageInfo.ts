declare const __PACKAGE_NAME__: string
declare const __PACKAGE_VERSION__: string
declare const __BUILD_ID__: string

/**
 * Name and semantic version from the package metadata, and the id of the build that the page shares; fixed at build time.
 * The id is empty where server and page weren't built together.
 */
export const packageInfo = { name: __PACKAGE_NAME__, version: __PACKAGE_VERSION__, build: __BUILD_ID__ } as const
