/** An icon's shapes as text, made by the build (`web/build/iconShapes.ts`). */
declare module "*.svg?shapes" {
  const shapes: string
  export default shapes
}
