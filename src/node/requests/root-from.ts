/**
 * The path of the node's root, relative to a path of the node. Links of pages begin with it, since a proxy may serve
 * the node below a path that the node does not know.
 */
export function rootFrom(path: string): string {
  return `./${'../'.repeat(path.split('/').length - 2)}`;
}
