/** An icon's shapes as text, made by the build (`web/build/libraryParts.ts`). */
declare module "*.svg?shapes" {
  const shapes: string
  export default shapes
}
