/** Path of what stands directly below a node. */
export function pathBelow(node: { readonly id: number; readonly path: string }): string {
  return `${node.path}${node.id}/`
}
