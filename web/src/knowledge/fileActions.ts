/** An action on a file or folder that needs a dialog first. */
export type FileAction =
  | { readonly kind: "newFile" | "newFolder"; readonly folder: string }
  | { readonly kind: "rename" | "move" | "delete" | "close"; readonly path: string }
  | { readonly kind: "trash" }
