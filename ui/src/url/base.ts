/**
 * The beginning of every path of the node, such as `/alice` behind a proxy that serves it there; usually empty. It is
 * found by the address of this module, which is below `/ui/assets/`, or below `/ui/src/` during development.
 */
export const basePath = /^(.*)\/ui\/(?:assets|src)\//.exec(new URL(import.meta.url).pathname)?.[1] ?? '';
